import assert from "node:assert/strict";
import type { Trader } from "../exchange.ts";

/**
 * What a case needs of a client, in terms that all three clients have. Each implementation wraps an unmodified
 * published client. Results are the client's own reading of the reply, or the reply itself if the client has no field
 * for the figure.
 */

export type Side = "BUY" | "SELL";
export type TimeInForce = "GTC" | "IOC" | "FOK" | "GTX";
export type ConditionalType = "STOP" | "STOP_MARKET" | "TAKE_PROFIT" | "TAKE_PROFIT_MARKET" | "TRAILING_STOP_MARKET";

export type IncomeType = "FUNDING_FEE" | "COMMISSION" | "REALIZED_PNL" | "INSURANCE_CLEAR";

export const SYMBOL = "BTCUSDT";

export interface LimitOrder {
  readonly side: Side;
  readonly quantity: number;
  readonly price: number;
  readonly timeInForce?: TimeInForce;
  readonly reduceOnly?: boolean;
  readonly symbol?: string;
}

export interface ConditionalOrder {
  readonly type: ConditionalType;
  readonly side: Side;
  /** Without it the order closes the position. */
  readonly quantity?: number;
  /** For STOP and TAKE_PROFIT. */
  readonly price?: number;
  /** Undefined for a trailing stop that is placed as a conditional order. */
  readonly trigger?: number;
  readonly activate?: number;
  readonly callback_percent?: number;
  readonly workingType: "MARK_PRICE" | "CONTRACT_PRICE";
}

export interface OrderState {
  readonly id: string;
  /** In the exchange's words. */
  readonly status: string;
  readonly filled: number;
  readonly average: number;
}

export interface AlgoState {
  readonly status: string;
  /** The id of the order that it produced; empty before. */
  readonly orderId: string;
}

export interface Fill {
  readonly price: number;
  readonly quantity: number;
  readonly fee: number;
  readonly isMaker: boolean;
  readonly realized: number;
}

/** The status of an order in a batch, or the code of its refusal. */
export type Outcome = string | number;

export interface Bot {
  limit(order: LimitOrder): Promise<OrderState>;
  market(side: Side, quantity: number, reduceOnly?: boolean): Promise<OrderState>;
  order(id: string): Promise<OrderState>;
  cancel(id: string): Promise<OrderState>;
  openOrders(): Promise<readonly { readonly id: string; readonly price: number; readonly quantity: number }[]>;
  cancelAll(): Promise<void>;
  fills(orderId: string): Promise<readonly Fill[]>;

  /** Sends it where the client sends conditional orders. */
  conditional(order: ConditionalOrder): Promise<string>;
  algo(id: string): Promise<AlgoState>;
  openAlgos(): Promise<readonly string[]>;
  cancelAlgo(id: string): Promise<void>;
  cancelAllAlgos(): Promise<void>;
  /** The same on `/fapi/v1/order`, if the client can send it there. */
  conditionalAsOrder(order: ConditionalOrder): Promise<OrderState>;

  /** Also returns the ids, at the same indices; refused orders have none. */
  placeBatch(orders: readonly LimitOrder[]): Promise<{ readonly outcomes: Outcome[]; readonly ids: string[] }>;
  modifyBatch(orders: readonly (LimitOrder & { readonly id: string })[]): Promise<Outcome[]>;
  cancelBatch(ids: readonly string[]): Promise<Outcome[]>;
  modify(order: LimitOrder & { readonly id: string }): Promise<OrderState>;
  testOrder(order: LimitOrder): Promise<object>;
  /** Cancels everything unless it is called again in time; 0 stops it. */
  countdown(after_ms: number): Promise<{ readonly symbol: string; readonly countdownTime: string }>;

  balance(): Promise<number>;
  position(): Promise<{ readonly quantity: number; readonly entry: number; readonly liquidation: number } | undefined>;
  income(type: IncomeType): Promise<readonly number[]>;
  fundingRates(): Promise<readonly { readonly rate: number; readonly time_ms: number; readonly mark: number }[]>;
  premium(): Promise<{
    readonly mark: number;
    readonly index: number;
    readonly rate: number;
    readonly next_ms: number;
  }>;
  feeRates(): Promise<{ readonly maker: number; readonly taker: number }>;
  setLeverage(leverage: number): Promise<number>;
  leverageTiers(): Promise<readonly { readonly cap: number; readonly leverage: number; readonly rate: number }[]>;
  setIsolated(isIsolated: boolean): Promise<unknown>;
  setHedged(isHedged: boolean): Promise<unknown>;
  isHedged(): Promise<boolean>;
  adlQuantile(): Promise<number | undefined>;
  forcedOrders(): Promise<readonly { readonly side: Side; readonly quantity: number; readonly price: number }[]>;

  /** Called after the exchange's clock was moved: clients that keep a time difference compute it again. */
  synchronize(): Promise<void>;
  codeOf(error: unknown): number | undefined;
}

export interface BotKind {
  readonly name: string;
  /** Whether it has parameters for triggers on `/fapi/v1/order`. */
  readonly canTriggerOrders: boolean;
  /** Whether it returns the orders of a batch that could not be canceled, or omits them. */
  readonly listsRefusedCancels: boolean;
  connect(baseUrl: string, trader: Pick<Trader, "apiKey" | "apiSecret">): Promise<Bot>;
}

/** Expects a refusal with a code. */
export async function refused(bot: Bot, request: Promise<unknown>, code: number): Promise<void> {
  await assert.rejects(request, (error) => {
    assert.equal(bot.codeOf(error), code, String(error));
    return true;
  });
}
