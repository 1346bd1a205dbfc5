import { GTC } from "@bourse/engine";
import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import type { BatchRows } from "./batch-rows.ts";
import { type Columns, InsertQueue, ProjectionFault, RowInserter, RowUpdater } from "./columns.ts";
import type { AmendmentBase, OrderDrafts } from "./order-drafts.ts";
import {
  ALGO_COLUMNS,
  AMENDMENT_COLUMNS,
  type AmendmentRow,
  BONUS_LINE_COLUMNS,
  FILL_COLUMNS,
  FUNDING_RATE_COLUMNS,
  INCOME_COLUMNS,
  KLINE_COLUMNS,
  MARGIN_MOVE_COLUMNS,
  MARKET_COLUMNS,
  ORDER_COLUMNS,
  orderTerms,
  PAIR_HOUR_COLUMNS,
  RISK_EVENT_COLUMNS,
  TIER_CHANGE_COLUMNS,
} from "./tables.ts";

/** What can change of an order after it was opened, the key first. */
const ORDER_CHANGES = {
  order_id: "bigint",
  type: "smallint",
  ...orderTerms.columns,
  executed_lots: "bigint",
  quote_micros: "bigint",
  triggered_ms: "bigint",
  status: "text",
  reason: "text",
  amendments: "integer",
  updated_ms: "bigint",
  command_number: "bigint",
} as const satisfies Partial<typeof ORDER_COLUMNS>;

const END_CHANGES = {
  status: "text",
  reason: "text",
  updated_ms: "bigint",
  command_number: "bigint",
} as const satisfies Columns;

const ALGO_CHANGES = {
  algo_id: "bigint",
  ...END_CHANGES,
  lots: "bigint",
  parent_id: "bigint",
  actual_order_id: "bigint",
  triggered_ms: "bigint",
} as const satisfies Partial<typeof ALGO_COLUMNS>;

const KLINE_SUMS = `
  on conflict (market, kind, interval_ms, open_ms) do update set
    high_ticks = greatest(exchange_kline.high_ticks, excluded.high_ticks),
    low_ticks = least(exchange_kline.low_ticks, excluded.low_ticks),
    close_ticks = excluded.close_ticks,
    lots = exchange_kline.lots + excluded.lots,
    quote_micros = exchange_kline.quote_micros + excluded.quote_micros,
    trades = exchange_kline.trades + excluded.trades,
    taker_buy_lots = exchange_kline.taker_buy_lots + excluded.taker_buy_lots,
    taker_buy_quote_micros = exchange_kline.taker_buy_quote_micros + excluded.taker_buy_quote_micros`;

const markets = new RowInserter("exchange_market", MARKET_COLUMNS);
const orders = new RowInserter("exchange_order", ORDER_COLUMNS);
const orderChanges = new RowUpdater("exchange_order", ORDER_CHANGES);
/** One that has fired and is armed again goes on among the conditional orders; the order of its id has ended. */
const orderEnds = new RowUpdater("exchange_order", { order_id: "bigint", ...END_CHANGES }, "kept.triggered_ms = 0");
const orderAmendments = new RowInserter("exchange_order_amendment", AMENDMENT_COLUMNS);
const algos = new RowInserter("exchange_algo_order", ALGO_COLUMNS);
const algoChanges = new RowUpdater("exchange_algo_order", ALGO_CHANGES);
const algoEnds = new RowUpdater("exchange_algo_order", { algo_id: "bigint", ...END_CHANGES });
const fills = new RowInserter("exchange_fill", FILL_COLUMNS);
const incomes = new RowInserter("exchange_income", INCOME_COLUMNS);
const klines = new RowInserter("exchange_kline", KLINE_COLUMNS, KLINE_SUMS);
const fundingRates = new RowInserter("exchange_funding_rate", FUNDING_RATE_COLUMNS);
const bonusLines = new RowInserter("exchange_bonus_line", BONUS_LINE_COLUMNS);
const tierChanges = new RowInserter("exchange_tier_change", TIER_CHANGE_COLUMNS);
const PAIR_SUMS = `
  on conflict (account, counterparty, hour) do update set
    quote_micros = exchange_pair_hour.quote_micros + excluded.quote_micros,
    given_micros = exchange_pair_hour.given_micros + excluded.given_micros,
    taken_micros = exchange_pair_hour.taken_micros + excluded.taken_micros`;
const riskEvents = new RowInserter("exchange_risk_event", RISK_EVENT_COLUMNS);
const pairHours = new RowInserter("exchange_pair_hour", PAIR_HOUR_COLUMNS, PAIR_SUMS);
const marginMoves = new RowInserter("exchange_margin_move", MARGIN_MOVE_COLUMNS);

function assertAll(what: string, expected: number, found: number): void {
  if (expected !== found) throw new ProjectionFault(`${expected} ${what} changed, but ${found} of them are stored`);
}

async function storedBases(tx: Tx, ids: readonly number[]): Promise<Map<number, AmendmentBase>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ order_id: bigint; ticks: number; lots: bigint; amendments: number }>`
    select order_id, ticks, lots, amendments from exchange_order
    where order_id = any(${ids}::bigint[])`.execute(tx);
  return new Map(
    rows.map(({ order_id, ticks, lots, amendments }) => [Number(order_id), { ticks, lots: Number(lots), amendments }]),
  );
}

/** Amendments with what was before them; counts them in the drafts of their orders. */
async function completeAmendments(tx: Tx, drafts: OrderDrafts): Promise<AmendmentRow[]> {
  const { amendments, amendmentBases, opened, changed } = drafts;
  const older = new Set(amendments.map(({ order_id }) => order_id).filter((id) => !amendmentBases.has(id)));
  const bases = new Map([...amendmentBases, ...(await storedBases(tx, [...older]))]);
  return amendments.map(({ order_id, account, market, reason, ticks, lots, time_ms }) => {
    const base = bases.get(order_id);
    if (base === undefined) throw new ProjectionFault(`order ${order_id} was amended, but is not stored`);
    const amendment = base.amendments + 1;
    bases.set(order_id, { ticks, lots, amendments: amendment });
    const draft = opened.get(order_id) ?? changed.get(order_id);
    if (draft !== undefined) draft.amendments = amendment;
    const before = { ticks_before: base.ticks, lots_before: base.lots };
    return { order_id, amendment, account, market, reason, ...before, ticks_after: ticks, lots_after: lots, time_ms };
  });
}

/**
 * FUT-8: conditional orders that kept their ids and are armed again. Time in force means nothing for the market orders that they
 * produce; that of the ended order would be its IOC.
 */
async function rearmOrders(tx: Tx, { ordersRearmed }: OrderDrafts): Promise<void> {
  const rows = [...ordersRearmed.values()];
  if (rows.length === 0) return;
  const column = (name: keyof (typeof rows)[number]) => sql`${rows.map((row) => row[name])}::bigint[]`;
  const { numAffectedRows = 0n } = await sql`
    insert into exchange_algo_order (
      algo_id, account, market, side, client_id, type, time_in_force, ticks, lots, is_reduce_only,
      self_trade_prevention, trigger_ticks, activate_ticks, callback_bps, working_type, is_close_position,
      is_price_protected, triggered_ms, parent_id, status, reason, actual_order_id, created_ms, updated_ms,
      command_number)
    select r.algo_id, account, market, side, client_id, conditional_type, ${GTC}, 0, r.lots, not is_close_position,
      self_trade_prevention, trigger_ticks, activate_ticks, callback_bps, working_type, is_close_position,
      is_price_protected, 0, 0, 'NEW', 'none', 0, created_ms, r.updated_ms, r.command_number
    from exchange_order
    join unnest(${column("algo_id")}, ${column("lots")}, ${column("updated_ms")}, ${column("command_number")})
      as r (algo_id, lots, updated_ms, command_number) on r.algo_id = order_id`.execute(tx);
  assertAll("orders armed again", rows.length, Number(numAffectedRows));
}

/** Of conditional orders that were open before: they stand in one of two tables. */
async function endConditionals(tx: Tx, { conditionalsEnded }: OrderDrafts): Promise<void> {
  if (conditionalsEnded.length === 0) return;
  const asOrders = conditionalsEnded.map((end) => ({ ...end, order_id: end.algo_id }));
  const found = (await algoEnds.update(tx, conditionalsEnded)) + (await orderEnds.update(tx, asOrders));
  assertAll("conditional orders", conditionalsEnded.length, found);
}

async function insertRows(tx: Tx, rows: BatchRows): Promise<void> {
  const { drafts } = rows;
  const amendments = await completeAmendments(tx, drafts);
  const queue = new InsertQueue(tx);
  await queue.insert(markets, rows.markets);
  await queue.insert(orders, [...drafts.opened.values()]);
  await queue.insert(orderAmendments, amendments);
  await queue.insert(algos, [...drafts.algosOpened.values()]);
  await queue.insert(fills, rows.fills);
  await queue.insert(incomes, rows.incomes);
  await queue.insert(klines, rows.klines.rows);
  await queue.insert(fundingRates, rows.fundingRates);
  await queue.insert(bonusLines, rows.bonusLines);
  await queue.insert(tierChanges, rows.tierChanges);
  await queue.insert(marginMoves, rows.marginMoves);
  await queue.insert(riskEvents, rows.risk.events);
  await queue.insert(pairHours, rows.risk.pairs);
  await queue.finish();
}

async function changeOrders(tx: Tx, drafts: OrderDrafts): Promise<void> {
  const changed = [...drafts.changed.values()];
  assertAll("orders", changed.length, await orderChanges.update(tx, changed));
  await rearmOrders(tx, drafts);
  const algosChanged = [...drafts.algosChanged.values()];
  assertAll("conditional orders", algosChanged.length, await algoChanges.update(tx, algosChanged));
  await endConditionals(tx, drafts);
}

/** All rows of a batch, inside the transaction that moves the cursor over it. */
export async function writeRows(tx: Tx, rows: BatchRows): Promise<void> {
  await insertRows(tx, rows);
  await changeOrders(tx, rows.drafts);
}
