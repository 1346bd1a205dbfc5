/** The SQL of scoring. One statement reads everything and one statement writes everything, for any number of fills. */
import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import type { Rule } from "./formulas.ts";
import type { MakerVolume, OpenSeason, ScoredLine, ScoredTotal, Scores, ScoringFacts } from "./scores.ts";

export interface AskedFacts {
  /** The accounts whose wallets are requested, with whether they are market makers. */
  readonly accounts: readonly number[];
  /** The wallets for which it is requested whether they are market makers. */
  readonly addresses: readonly string[];
  readonly firstEpoch: number;
  readonly lastEpoch: number;
}

export interface Facts extends ScoringFacts {
  readonly wallets: ReadonlyMap<number, string>;
  /** By market, if the boost is not 1. */
  readonly boosts_e2: ReadonlyMap<number, number>;
}

interface FactsRow extends Rule {
  readonly wallets: readonly (readonly [number, string])[] | null;
  readonly makers: readonly string[] | null;
  readonly boosts: readonly (readonly [number, number])[] | null;
  readonly seasons: readonly OpenSeason[] | null;
}

/** The current rule and the other facts of scoring. The caller holds the lock POINTS_BOOKS. */
export async function readFacts(tx: Tx, { accounts, addresses, firstEpoch, lastEpoch }: AskedFacts): Promise<Facts> {
  const { rows } = await sql<FactsRow>`
    with rule as (select * from points_rule where from_command is not null order by version desc limit 1),
      wallet as (select account, address from exchange_account where account = any(${accounts}::int[]))
    select rule.version, rule.points_per_fee, rule.maker_e2, rule.usdt_per_earn_point, rule.referral_e2,
      (select json_agg(json_build_array(account, address)) from wallet) as wallets,
      (select json_agg(address) from points_maker
        where is_in_force and (address = any(${addresses}::text[]) or address in (select address from wallet))) as makers,
      (select json_agg(json_build_array(market, rule.boosts -> symbol)) from exchange_market
        where rule.boosts -> symbol is not null) as boosts,
      (select json_agg(json_build_object('season_no', season_no, 'start_epoch', start_epoch, 'end_epoch', end_epoch))
        from points_season
        where snapshot_taken_at is null and start_epoch <= ${lastEpoch} and end_epoch >= ${firstEpoch}) as seasons
    from rule`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error("there is no rule to score by");
  const { wallets, makers, boosts, seasons, ...rule } = row;
  return {
    rule,
    wallets: new Map(wallets),
    makers: new Set(makers),
    boosts_e2: new Map(boosts),
    seasons: seasons ?? [],
  };
}

const numberOf = ({ origin }: ScoredLine, name: "market" | "trade" | "side") =>
  "trade" in origin ? origin[name] : null;

const unnestedLines = (lines: readonly ScoredLine[]) => {
  const column = <T>(value: (line: ScoredLine) => T) => lines.map(value);
  return sql`unnest(
    ${column(({ address }) => address)}::text[],
    ${column(({ source }) => source)}::text[],
    ${column(({ points_micros }) => points_micros)}::bigint[],
    ${column(({ time_ms }) => time_ms)}::bigint[],
    ${column(({ day }) => day)}::int[],
    ${column((line) => numberOf(line, "market"))}::int[],
    ${column((line) => numberOf(line, "trade"))}::bigint[],
    ${column((line) => numberOf(line, "side"))}::smallint[],
    ${column(({ origin }) => ("trade" in origin ? null : origin.subscription_id))}::uuid[],
    ${column(({ invitee }) => invitee)}::text[],
    ${column(({ base_micros }) => base_micros)}::bigint[])`;
};

const unnestedTotals = (totals: readonly ScoredTotal[]) => {
  const column = <T>(value: (total: ScoredTotal) => T) => totals.map(value);
  return sql`unnest(
    ${column(({ scope }) => scope)}::smallint[],
    ${column(({ period }) => period)}::int[],
    ${column(({ address }) => address)}::text[],
    ${column(({ points_micros }) => points_micros)}::bigint[],
    ${column(({ last_ms }) => last_ms)}::bigint[])`;
};

const unnestedVolumes = (volumes: readonly MakerVolume[]) => {
  const column = <T>(value: (volume: MakerVolume) => T) => volumes.map(value);
  return sql`unnest(
    ${column(({ epoch }) => epoch)}::int[],
    ${column(({ address }) => address)}::text[],
    ${column(({ volume_micros }) => volume_micros)}::bigint[])`;
};

/** Writes lines, totals and volumes together. If one of the lines exists already, nothing is written. */
export async function writeScores(tx: Tx, { rule, lines, totals, volumes }: Scores): Promise<void> {
  if (lines.length === 0 && volumes.length === 0) return;
  await sql`
    with line as (
      insert into points_line (address, source, points_micros, time_ms, day, market, trade, side, subscription_id,
        invitee, base_micros, rule_version)
      select scored.*, ${rule.version}::int from ${unnestedLines(lines)} as scored
    ), volume as (
      insert into points_maker_volume (epoch, address, volume_micros)
      select * from ${unnestedVolumes(volumes)}
      on conflict (epoch, address) do update set
        volume_micros = points_maker_volume.volume_micros + excluded.volume_micros
    )
    insert into points_total (scope, period, address, points_micros, last_ms)
    select * from ${unnestedTotals(totals)}
    on conflict (scope, period, address) do update set
      points_micros = points_total.points_micros + excluded.points_micros,
      last_ms = greatest(points_total.last_ms, excluded.last_ms)`.execute(tx);
}

/** The earn positions among these that have their points of that day. */
export async function scoredPositions(tx: Tx, ids: readonly string[], day: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ subscription_id: string }>`
    select distinct subscription_id from points_line
    where subscription_id = any(${ids}::uuid[]) and day = ${day}`.execute(tx);
  return new Set(rows.map(({ subscription_id }) => subscription_id));
}
