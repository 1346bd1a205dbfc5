import type { OrderRow } from "../projector/tables.ts";

/** A row as it comes out of the database, its bigints as numbers: all of them lie within the safe range. */
export type Plain<Row> = { [Name in keyof Row]: Row[Name] extends bigint ? number : Row[Name] };

export function plain<Row extends object>(row: Row): Plain<Row> {
  const values = Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(values) as Plain<Row>;
}

/** By what an order is or was triggered. */
export interface TriggerRecord {
  /** STOP, TAKE_PROFIT or TRAILING_STOP of the engine. */
  readonly type: number;
  readonly triggerTicks: number;
  readonly activateTicks: number;
  readonly callback_bps: number;
  readonly workingType: number;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
  /** 0 while it waits. */
  readonly triggered_ms: number;
}

/** An order, open or closed. Codes and units are the engine's. */
export interface OrderRecord {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly ticks: number;
  readonly lots: number;
  readonly executedLots: number;
  readonly quote_micros: number;
  readonly isReduceOnly: boolean;
  readonly selfTradePrevention: number;
  readonly cause: string;
  readonly clientId: string;
  /** The conditional order with an id of its own that produced it; 0 for none. */
  readonly conditional: number;
  readonly trigger: TriggerRecord | null;
  /** NEW, PARTIALLY_FILLED, FILLED, CANCELED, EXPIRED, EXPIRED_IN_MATCH or REJECTED. */
  readonly status: string;
  readonly reason: string;
  readonly created_ms: number;
  readonly updated_ms: number;
}

type TriggerColumns = Pick<
  OrderRow,
  "trigger_ticks" | "activate_ticks" | "callback_bps" | "working_type" | "is_close_position" | "is_price_protected"
>;

export function triggerRecord(type: number, row: TriggerColumns, triggered_ms: number): TriggerRecord {
  return {
    type,
    triggerTicks: row.trigger_ticks,
    activateTicks: row.activate_ticks,
    callback_bps: row.callback_bps,
    workingType: row.working_type,
    isClosePosition: row.is_close_position,
    isPriceProtected: row.is_price_protected,
    triggered_ms,
  };
}

export function orderRecord(row: OrderRow, trigger: TriggerRecord | null): OrderRecord {
  const isConditional = row.conditional_type >= 0;
  return {
    id: row.order_id,
    account: row.account,
    market: row.market,
    side: row.side,
    type: row.type,
    timeInForce: row.time_in_force,
    ticks: row.ticks,
    lots: row.lots,
    executedLots: row.executed_lots,
    quote_micros: row.quote_micros,
    isReduceOnly: row.is_reduce_only,
    selfTradePrevention: row.self_trade_prevention,
    cause: row.cause,
    clientId: row.client_id,
    conditional: row.conditional_id,
    trigger: isConditional ? triggerRecord(row.conditional_type, row, row.triggered_ms) : trigger,
    status: row.status,
    reason: row.reason,
    created_ms: row.created_ms,
    updated_ms: row.updated_ms,
  };
}

/** A conditional order with an id of its own. */
export interface AlgoRecord extends TriggerRecord {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly ticks: number;
  readonly timeInForce: number;
  readonly lots: number;
  readonly isReduceOnly: boolean;
  readonly selfTradePrevention: number;
  /** The order it is attached to; 0 for none. */
  readonly parent: number;
  readonly clientId: string;
  /** NEW, TRIGGERED, FINISHED, CANCELED, EXPIRED or REJECTED. */
  readonly status: string;
  readonly reason: string;
  /** The order it produced; null before, and where it was pruned. */
  readonly produced: Pick<OrderRecord, "id" | "type" | "lots" | "executedLots" | "quote_micros" | "status"> | null;
  readonly created_ms: number;
  readonly updated_ms: number;
}

/** One side of a trade. */
export interface FillRecord {
  readonly trade: number;
  readonly market: number;
  readonly side: number;
  /** 0 where it belongs to no order. */
  readonly order: number;
  readonly isMaker: boolean;
  readonly cause: string;
  readonly ticks: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly fee_micros: number;
  readonly feeFromBonus_micros: number;
  readonly realised_micros: number;
  readonly lossFromBonus_micros: number;
  readonly isSelfTrade: boolean;
  readonly time_ms: number;
}

export interface PublicTrade {
  readonly trade: number;
  readonly ticks: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly isBuyerMaker: boolean;
  readonly time_ms: number;
}

export interface IncomeRecord {
  readonly id: number;
  readonly type: string;
  /** −1 for none. */
  readonly market: number;
  readonly amount_micros: number;
  /** 0 for none. */
  readonly trade: number;
  readonly info: string;
  readonly time_ms: number;
}

export interface Kline {
  readonly open_ms: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly closeTicks: number;
  readonly lots: number;
  /** A busy day's value leaves the safe range of a number. */
  readonly quote_micros: bigint;
  readonly trades: number;
  readonly takerBuyLots: number;
  readonly takerBuyQuote_micros: bigint;
}

/** A page of a list: `total` with the first one, −1 with the others (WIRE-8). */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly nextCursor: string | null;
}
