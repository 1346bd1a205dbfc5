import { type Kysely, sql } from "kysely";
import type { Migrations } from "../../kernel/database/migrations.ts";

async function createMarketSamples(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_market_sample (
      market int not null,
      time_ms bigint not null,
      open_interest_lots bigint not null,
      mark_ticks int not null,
      index_ticks int not null,
      last_ticks int not null,
      long_accounts int not null,
      short_accounts int not null,
      top_long_accounts int not null,
      top_short_accounts int not null,
      top_long_lots bigint not null,
      top_short_lots bigint not null,
      primary key (market, time_ms)
    )`.execute(db);
  // Old rows of all markets are removed by their time.
  await sql`create index exchange_market_sample_by_time on exchange_market_sample (time_ms)`.execute(db);
}

export const statisticsMigrations: Migrations = {
  "0160_market_samples": { up: createMarketSamples },
};
