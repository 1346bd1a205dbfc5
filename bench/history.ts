import assert from "node:assert/strict";
import { sql } from "kysely";
import { History } from "../apps/server/src/exchange/history/history.ts";
import { ManualClock } from "../apps/server/src/kernel/clock.ts";
import type { Database, Db } from "../apps/server/src/kernel/database/database.ts";
import { onOneDatabase } from "./support/databases.ts";
import { atMost, median, type Row } from "./support/table.ts";

const ROWS = 1_000_000;
const ROWS_PER_INSERT = 100_000;
const ACCOUNT = 7;
const MARKET = 0;
const PAGE = 500;
const PAGES = ROWS / PAGE;
const NOW_ms = Date.UTC(2026, 5, 1);
const STEP_ms = 500;
const FIRST_ms = NOW_ms - ROWS * STEP_ms;
/** Number of pages at each end of the list that are compared. */
const COMPARED = 200;
const CALLS = 100;
const FIRST_PAGES = 10;
const DEEP_ID = ROWS - 2_000;

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** A page deep in the history of an account with a million fills and orders, against one at its beginning. */
export async function benchHistory(): Promise<readonly Row[]> {
  return onOneDatabase(async (database, name) => {
    await insertHistory(database.db);
    return measure(database, name);
  });
}

/** Every order of the account was filled once. The statements are small enough for the statement timeout. */
async function insertHistory(db: Db): Promise<void> {
  for (let from = 1; from <= ROWS; from += ROWS_PER_INSERT) {
    const numbers = sql`generate_series(${from}::int, ${from + ROWS_PER_INSERT - 1}::int) n`;
    const time_ms = sql`${FIRST_ms}::bigint + n::bigint * ${STEP_ms}::int`;
    await sql`
      insert into exchange_order (order_id, account, market, side, type, time_in_force, ticks, lots, executed_lots,
        quote_micros, is_reduce_only, self_trade_prevention, cause, client_id, conditional_id, conditional_type,
        trigger_ticks, activate_ticks, callback_bps, working_type, is_close_position, is_price_protected, triggered_ms,
        status, reason, amendments, created_ms, updated_ms, command_number)
      select n, ${ACCOUNT}::int, ${MARKET}::int, n % 2, 0, 0, 600000, 1, 1, 60000000, false, 0, 'trade', 'bench-' || n, 0, 0, 0,
        0, 0, 0, false, false, 0, 'FILLED', 'none', 0, ${time_ms}, ${time_ms}, n
      from ${numbers}`.execute(db);
    await sql`
      insert into exchange_fill (market, trade, side, account, order_id, is_maker, cause, ticks, lots, quote_micros,
        fee_micros, fee_from_bonus_micros, realised_micros, loss_from_bonus_micros, position_lots, cost_micros,
        terms_version, is_self_trade, time_ms, command_number, event_index)
      select ${MARKET}::int, n, n % 2, ${ACCOUNT}::int, n, true, 'trade', 600000, 1, 60000000, 12000, 0, 0, 0, 0, 0, 0, false,
        ${time_ms}, n, 0
      from ${numbers}`.execute(db);
  }
  await sql`vacuum analyze exchange_order`.execute(db);
  await sql`vacuum analyze exchange_fill`.execute(db);
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun_ms = performance.now();
  await action();
  return performance.now() - begun_ms;
}

async function medianOf(calls: number, action: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let call = 0; call < calls; call += 1) taken.push(await timed(action));
  return median(taken);
}

async function measure(database: Database, name: string): Promise<readonly Row[]> {
  const history = new History({
    database,
    // Everything is in the tables already.
    projector: {
      waitForAccount: async () => {},
      waitForAll: async () => {},
      pendingOrder: () => undefined,
      isSpilled: false,
    },
    clock: new ManualClock(NOW_ms),
    cursorKey: new Uint8Array(32),
  });
  const { first_ms, near_ms, deep_ms } = await walk(history);
  const nearTrades_ms = await medianOf(CALLS, () => tradesFrom(history, 1));
  const deepTrades_ms = await medianOf(CALLS, () => tradesFrom(history, DEEP_ID));
  const nearOrders_ms = await medianOf(CALLS, () => ordersFrom(history, 1));
  const deepOrders_ms = await medianOf(CALLS, () => ordersFrom(history, DEEP_ID));
  const row = (what: string, figure_ms: number, baseline: string, baseline_ms: number, isAimed = true): Row => ({
    name: `history, ${name}: ${what}`,
    figure: `p50 ${ms(figure_ms)}`,
    baseline: `${ms(baseline_ms)} ${baseline}`,
    ratio: figure_ms / baseline_ms,
    aim: isAimed ? atMost(1.5) : null,
  });
  const pages = PAGES.toLocaleString("en-US");
  return [
    row(`fills, the last ${COMPARED} of ${pages} pages of ${PAGE}`, deep_ms, `the first ${COMPARED}`, near_ms),
    row("fills, first page, with the total of 1,000,000", first_ms, "a page by cursor", near_ms, false),
    row(`userTrades, fromId ${DEEP_ID.toLocaleString("en-US")}`, deepTrades_ms, "fromId 1", nearTrades_ms),
    row(`allOrders, orderId ${DEEP_ID.toLocaleString("en-US")}`, deepOrders_ms, "orderId 1", nearOrders_ms),
  ];
}

/** All pages of the fills one after the other, by cursor. */
async function walk({ trades }: History) {
  const first_ms = await medianOf(FIRST_PAGES, () => trades.page(ACCOUNT, { limit: PAGE }));
  const taken: number[] = [];
  let { nextCursor: cursor } = await trades.page(ACCOUNT, { limit: PAGE });
  let seen = PAGE;
  while (cursor !== null) {
    const begun_ms = performance.now();
    const page = await trades.page(ACCOUNT, { limit: PAGE, cursor });
    taken.push(performance.now() - begun_ms);
    seen += page.rows.length;
    cursor = page.nextCursor;
  }
  assert.equal(seen, ROWS, "the pages together are the list");
  return { first_ms, near_ms: median(taken.slice(0, COMPARED)), deep_ms: median(taken.slice(-COMPARED)) };
}

async function tradesFrom({ trades }: History, fromId: number): Promise<void> {
  const found = await trades.list(ACCOUNT, { market: MARKET, fromId, limit: PAGE });
  assert.deepEqual([found[0]!.trade, found.length], [fromId, PAGE]);
}

async function ordersFrom({ orders }: History, orderId: number): Promise<void> {
  const found = await orders.list(ACCOUNT, { market: MARKET, orderId, limit: PAGE });
  assert.deepEqual([found[0]!.id, found.length], [orderId, PAGE]);
}
