import { type Kysely, sql } from "kysely";
import type { Migrations } from "../../kernel/database/migrations.ts";
import { HISTORY_TABLES, partitionTable } from "../history/partitions.ts";

/** Order ids rise with the time of creation, so an id or a time leads to the same place in each of these indexes. */
async function createOrders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_order (
      order_id bigint primary key,
      account int not null,
      market int not null,
      side smallint not null,
      type smallint not null,
      time_in_force smallint not null,
      ticks int not null,
      lots bigint not null,
      executed_lots bigint not null,
      quote_micros bigint not null,
      is_reduce_only boolean not null,
      self_trade_prevention smallint not null,
      cause text not null,
      client_id text not null,
      conditional_id bigint not null,
      conditional_type smallint not null,
      trigger_ticks int not null,
      activate_ticks int not null,
      callback_bps int not null,
      working_type smallint not null,
      is_close_position boolean not null,
      is_price_protected boolean not null,
      triggered_ms bigint not null,
      status text not null,
      reason text not null,
      amendments int not null,
      created_ms bigint not null,
      updated_ms bigint not null,
      command_number bigint not null,
      check (executed_lots between 0 and lots)
    ) with (fillfactor = 85)`.execute(db);
  await sql`create index exchange_order_by_market on exchange_order (account, market, created_ms, order_id)`.execute(
    db,
  );
  await sql`create index exchange_order_by_account on exchange_order (account, created_ms, order_id)`.execute(db);
  await sql`
    create index exchange_order_by_client_id on exchange_order (account, client_id, order_id)
    where client_id <> ''`.execute(db);
  await sql`
    create index exchange_order_forced on exchange_order (account, created_ms, order_id)
    where cause = 'liquidation'`.execute(db);
  await sql`
    create table exchange_order_amendment (
      order_id bigint not null,
      amendment int not null,
      account int not null,
      market int not null,
      reason text not null,
      ticks_before int not null,
      ticks_after int not null,
      lots_before bigint not null,
      lots_after bigint not null,
      time_ms bigint not null,
      primary key (order_id, amendment)
    )`.execute(db);
}

async function createAlgoOrders(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_algo_order (
      algo_id bigint primary key,
      account int not null,
      market int not null,
      side smallint not null,
      type smallint not null,
      ticks int not null,
      time_in_force smallint not null,
      lots bigint not null,
      trigger_ticks int not null,
      activate_ticks int not null,
      callback_bps int not null,
      working_type smallint not null,
      is_reduce_only boolean not null,
      is_close_position boolean not null,
      is_price_protected boolean not null,
      self_trade_prevention smallint not null,
      parent_id bigint not null,
      client_id text not null,
      status text not null,
      reason text not null,
      actual_order_id bigint not null,
      triggered_ms bigint not null,
      created_ms bigint not null,
      updated_ms bigint not null,
      command_number bigint not null
    ) with (fillfactor = 85)`.execute(db);
  await sql`
    create index exchange_algo_order_by_market on exchange_algo_order (account, market, created_ms, algo_id)`.execute(
    db,
  );
  await sql`create index exchange_algo_order_by_account on exchange_algo_order (account, created_ms, algo_id)`.execute(
    db,
  );
  await sql`
    create index exchange_algo_order_by_client_id on exchange_algo_order (account, client_id, algo_id)
    where client_id <> ''`.execute(db);
}

/** Trade ids of a market have no gaps and rise with time. */
async function createFills(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_fill (
      market int not null,
      trade bigint not null,
      side smallint not null,
      account int not null,
      order_id bigint not null,
      is_maker boolean not null,
      cause text not null,
      ticks int not null,
      lots bigint not null,
      quote_micros bigint not null,
      fee_micros bigint not null,
      fee_from_bonus_micros bigint not null,
      realised_micros bigint not null,
      loss_from_bonus_micros bigint not null,
      position_lots bigint not null,
      cost_micros bigint not null,
      terms_version bigint not null,
      is_self_trade boolean not null,
      time_ms bigint not null,
      command_number bigint not null,
      event_index int not null,
      primary key (market, trade, side)
    )`.execute(db);
  await sql`create index exchange_fill_by_market on exchange_fill (account, market, time_ms, trade, side)`.execute(db);
  await sql`create index exchange_fill_by_account on exchange_fill (account, time_ms, market, trade, side)`.execute(db);
  await sql`create index exchange_fill_by_order on exchange_fill (order_id, trade) where order_id > 0`.execute(db);
  await sql`
    create index exchange_fill_forced on exchange_fill (account, time_ms, market, trade)
    where cause in ('takeover', 'adl')`.execute(db);
}

async function createMoney(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_income (
      account int not null,
      time_ms bigint not null,
      income_id bigint not null,
      income_type text not null,
      market int not null,
      amount_micros bigint not null,
      trade bigint not null,
      info text not null,
      command_number bigint not null,
      event_index int not null,
      primary key (account, time_ms, income_id)
    )`.execute(db);
  await sql`create index exchange_income_by_type on exchange_income (account, income_type, time_ms, income_id)`.execute(
    db,
  );
  await sql`
    create table exchange_bonus_line (
      account int not null,
      command_number bigint not null,
      event_index int not null,
      line text not null,
      amount_micros bigint not null,
      bonus_micros bigint not null,
      locked_micros bigint not null,
      consumed_micros bigint not null,
      time_ms bigint not null,
      primary key (account, command_number, event_index)
    )`.execute(db);
  await sql`
    create table exchange_margin_move (
      account int not null,
      market int not null,
      command_number bigint not null,
      amount_micros bigint not null,
      isolated_micros bigint not null,
      time_ms bigint not null,
      primary key (account, market, command_number)
    )`.execute(db);
  await sql`
    create table exchange_equity (
      account int not null,
      time_ms bigint not null,
      principal_micros bigint not null,
      bonus_micros bigint not null,
      unrealised_micros bigint not null,
      primary key (account, time_ms)
    )`.execute(db);
  await sql`
    create table exchange_tier_change (
      account int not null,
      command_number bigint not null,
      event_index int not null,
      change text not null,
      tier smallint not null,
      previous_tier smallint not null,
      volume_14d_micros bigint not null,
      time_ms bigint not null,
      primary key (account, command_number, event_index)
    )`.execute(db);
}

async function createMarkets(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_market (
      market int primary key,
      symbol text not null unique,
      tick_size_e8 bigint not null,
      lot_size_e8 bigint not null,
      unit_micros bigint not null
    )`.execute(db);
  await sql`
    create table exchange_funding_rate (
      market int not null,
      hour int not null,
      rate_e8 bigint not null,
      mark_ticks int not null,
      residue_micros bigint not null,
      settled_ms bigint not null,
      primary key (market, hour)
    )`.execute(db);
  await sql`create index exchange_funding_rate_by_hour on exchange_funding_rate (hour, market)`.execute(db);
  await sql`
    create table exchange_kline (
      market int not null,
      kind smallint not null,
      interval_ms int not null,
      open_ms bigint not null,
      open_ticks int not null,
      high_ticks int not null,
      low_ticks int not null,
      close_ticks int not null,
      lots bigint not null,
      quote_micros bigint not null,
      trades bigint not null,
      taker_buy_lots bigint not null,
      taker_buy_quote_micros bigint not null,
      primary key (market, kind, interval_ms, open_ms)
    ) with (fillfactor = 85)`.execute(db);
}

async function createCursor(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_cursor (
      name text primary key,
      command_number bigint not null,
      last_income_id bigint not null,
      time_ms bigint not null
    )`.execute(db);
  await sql`insert into exchange_cursor values ('projector', 0, 0, 0)`.execute(db);
}

const FILL_INDEXES = [
  "exchange_fill_by_market (account, market, time_ms, trade, side)",
  "exchange_fill_by_account (account, time_ms, market, trade, side)",
  "exchange_fill_by_order (order_id, trade) where order_id > 0",
  "exchange_fill_forced (account, time_ms, market, trade) where cause in ('takeover', 'adl')",
];
const INCOME_INDEXES = ["exchange_income_by_type (account, income_type, time_ms, income_id)"];
const INDEXES: Readonly<Record<string, readonly string[]>> = {
  exchange_fill: FILL_INDEXES,
  exchange_income: INCOME_INDEXES,
};

async function partitionHistory(db: Kysely<unknown>): Promise<void> {
  for (const table of HISTORY_TABLES) await partitionTable(db, table, INDEXES[table.name] ?? []);
  // Accounts whose fills were removed.
  await sql`create table exchange_traded (account int primary key)`.execute(db);
}

/** FUT-24, INV-11, BON-7: fills of rules before version 5 have no mark. */
async function addRiskRecords(db: Kysely<unknown>): Promise<void> {
  await sql`alter table exchange_fill add column mark_ticks int, add column is_off_market boolean`.execute(db);
  await sql`alter table exchange_bonus_line add column repaid_micros bigint not null default 0`.execute(db);
  await sql`
    create table exchange_risk_event (
      market int not null,
      command_number bigint not null,
      event_index int not null,
      time_ms bigint not null,
      kind text not null,
      account int,
      counterparty int,
      side smallint,
      lots bigint,
      ticks int,
      mark_ticks int,
      index_ticks int,
      reason text not null,
      outflow_micros bigint,
      cap_micros bigint,
      equity_micros bigint,
      until_ms bigint,
      primary key (market, command_number, event_index)
    )`.execute(db);
  await sql`
    create index exchange_risk_event_capped on exchange_risk_event (market, command_number, event_index)
    where kind = 'fund_capped'`.execute(db);
  await sql`
    create table exchange_pair_hour (
      account int not null,
      counterparty int not null,
      hour int not null,
      quote_micros bigint not null,
      given_micros bigint not null,
      taken_micros bigint not null,
      primary key (account, counterparty, hour),
      check (account < counterparty)
    ) with (fillfactor = 85)`.execute(db);
  await sql`create index exchange_pair_hour_by_hour on exchange_pair_hour (hour)`.execute(db);
  await sql`
    create index exchange_pair_hour_moved on exchange_pair_hour (hour, account, counterparty)
    where given_micros > 0 or taken_micros > 0`.execute(db);
}

/** FUT-24: liquidations by their time, of one market and of all. */
async function indexForcedCloses(db: Kysely<unknown>): Promise<void> {
  const forced = sql`(time_ms, command_number, event_index) where kind in ('liquidation', 'takeover')`;
  await sql`create index exchange_risk_event_forced on exchange_risk_event ${forced}`.execute(db);
  await sql`
    create index exchange_risk_event_forced_by_market
    on exchange_risk_event (market, time_ms, command_number, event_index)
    where kind in ('liquidation', 'takeover')`.execute(db);
}

/** FUT-25, FUT-26. A release that does not know the columns leaves them at 0, which is what its rules have. */
async function addOrderTerms(db: Kysely<unknown>): Promise<void> {
  for (const table of ["exchange_order", "exchange_algo_order"]) {
    await sql`
      alter table ${sql.table(table)}
      add column good_till_ms bigint not null default 0,
      add column price_match smallint not null default 0`.execute(db);
  }
}

export const projectorMigrations: Migrations = {
  "0110_exchange_orders": {
    async up(db: Kysely<unknown>) {
      await createOrders(db);
      await createAlgoOrders(db);
      await createFills(db);
    },
  },
  "0111_exchange_money": { up: createMoney },
  "0112_exchange_markets": { up: createMarkets },
  "0113_exchange_cursor": { up: createCursor },
  "0114_history_partitions": { up: partitionHistory },
  "0115_risk_records": { up: addRiskRecords },
  "0116_forced_closes": { up: indexForcedCloses },
  "0117_order_terms": { up: addOrderTerms },
};
