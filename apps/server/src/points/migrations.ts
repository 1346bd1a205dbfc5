import { type Kysely, sql } from "kysely";
import type { Migrations } from "../kernel/database/migrations.ts";

const ADDRESS = sql.raw(`collate "C" check (address ~ '^0x[0-9a-f]{40}$')`);

/** Rules, levels and market makers: PTS-3 and interface 2.13 as documented. */
async function createRules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table points_level (
      level int primary key check (level between 0 and 5),
      points_min bigint not null unique check (points_min >= 0),
      points_max bigint check (points_max >= points_min),
      weight int not null check (weight between 0 and 1000000),
      check ((level = 5) = (points_max is null))
    )`.execute(db);
  await sql`
    insert into points_level (level, points_min, points_max, weight) values
      (0, 0, 999, 4), (1, 1000, 9999, 8), (2, 10000, 49999, 12),
      (3, 50000, 199999, 25), (4, 200000, 499999, 60), (5, 500000, null, 120)`.execute(db);
  await sql`
    create table points_rule (
      version int generated always as identity primary key,
      points_per_fee int not null check (points_per_fee between 0 and 1000),
      maker_e2 int not null check (maker_e2 between 0 and 1000),
      usdt_per_earn_point int not null check (usdt_per_earn_point between 1 and 1000000),
      referral_e2 int not null check (referral_e2 between 0 and 100),
      boosts jsonb not null,
      created_by text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    insert into points_rule (points_per_fee, maker_e2, usdt_per_earn_point, referral_e2, boosts, created_by, created_at)
    values (10, 150, 100, 10, '{}', 'system', now())`.execute(db);
  await sql`
    create table points_maker (
      address text primary key ${ADDRESS},
      label text,
      created_at timestamptz not null
    )`.execute(db);
}

async function createSeasons(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table points_season (
      id uuid primary key,
      season_no int not null unique check (season_no >= 1),
      label text not null,
      start_epoch int not null check (start_epoch >= 1),
      end_epoch int not null check (end_epoch >= start_epoch),
      user_pool_tokens bigint not null check (user_pool_tokens >= 0),
      mm_pool_tokens bigint not null check (mm_pool_tokens >= 0),
      status text not null check (status in ('pending', 'active', 'snapshot', 'distributing', 'completed')),
      snapshot_at timestamptz not null,
      distribution_at timestamptz not null check (distribution_at >= snapshot_at),
      snapshot_taken_at timestamptz,
      distribution_started_at timestamptz,
      completed_at timestamptz,
      root bytea,
      leaf_count int,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      check ((status in ('pending', 'active')) = (snapshot_taken_at is null)),
      check ((snapshot_taken_at is null) = (root is null)),
      exclude using gist (int4range(start_epoch, end_epoch, '[]') with &&)
    )`.execute(db);
  await sql`
    create table points_allocation (
      season_no int not null references points_season (season_no),
      address text not null ${ADDRESS},
      points_micros bigint not null check (points_micros >= 0),
      level int not null,
      weight int not null,
      user_tokens bigint not null check (user_tokens >= 0),
      maker_volume_micros bigint not null check (maker_volume_micros >= 0),
      maker_tokens bigint not null check (maker_tokens >= 0),
      leaf bytea not null,
      primary key (season_no, address)
    )`.execute(db);
}

/** The points lines and their totals. */
async function createBooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table points_line (
      id bigint generated always as identity primary key,
      address text not null ${ADDRESS},
      source text not null check (source in ('trade', 'earn', 'referral')),
      points_micros bigint not null check (points_micros > 0),
      rule_version int not null,
      time_ms bigint not null,
      day int not null,
      market int,
      trade bigint,
      side smallint,
      subscription_id uuid,
      invitee text,
      base_micros bigint not null check (base_micros >= 0),
      check ((source = 'referral') = (invitee is not null)),
      check ((trade is null) <> (subscription_id is null)),
      check ((market is null) = (trade is null) and (side is null) = (trade is null))
    )`.execute(db);
  await sql`create index points_line_of_wallet on points_line (address, time_ms, id)`.execute(db);
  await sql`
    create unique index points_line_of_fill on points_line (market, trade, side, source) where trade is not null`.execute(
    db,
  );
  await sql`
    create unique index points_line_of_position on points_line (subscription_id, day, source)
    where subscription_id is not null`.execute(db);
  await sql`
    create table points_total (
      scope smallint not null check (scope between 0 and 2),
      period int not null,
      address text not null ${ADDRESS},
      points_micros bigint not null check (points_micros > 0),
      last_ms bigint not null,
      primary key (scope, period, address)
    )`.execute(db);
  await sql`
    create table points_maker_volume (
      epoch int not null,
      address text not null ${ADDRESS},
      volume_micros bigint not null check (volume_micros >= 0),
      primary key (epoch, address)
    )`.execute(db);
}

/** LOG-3: rules and market makers count from their place in the log on. Those from before count already. */
async function addPlacesInLog(db: Kysely<unknown>): Promise<void> {
  await sql`alter table points_rule add column from_command bigint default 0`.execute(db);
  await sql`
    alter table points_maker
      add column is_listed boolean not null default true,
      add column is_in_force boolean not null default true`.execute(db);
}

export const pointsMigrations: Migrations = {
  "0400_points_rules": { up: createRules },
  "0401_points_seasons": { up: createSeasons },
  "0402_points_books": { up: createBooks },
  "0403_points_places_in_log": { up: addPlacesInLog },
};
