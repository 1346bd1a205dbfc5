import type { AlgoHistory } from "../history/algo-history.ts";
import type { MarketHistory } from "../history/market-history.ts";
import type { MoneyHistory } from "../history/money-history.ts";
import type { OrderHistory } from "../history/order-history.ts";
import type { TradeHistory } from "../history/trade-history.ts";
import type { MarketData } from "../market-data/market-data.ts";

/*
 * What this interface reads from the parts beside it. Everything is in the engine's units: ticks, lots, micros, 1e-8,
 * milliseconds, markets by number. Lists ascend by time; where a start or a first id is given they are the earliest that
 * fit, otherwise the latest.
 */

/**
 * The database's view. What belongs to an account waits until it holds the account's last event, or throws
 * `ProjectionTimeout`.
 */
export interface FapiHistory {
  readonly orders: Pick<OrderHistory, "byId" | "byClientId" | "list" | "forced" | "amendments">;
  readonly algos: Pick<AlgoHistory, "find" | "list">;
  readonly trades: Pick<TradeHistory, "list" | "forced">;
  readonly money: Pick<MoneyHistory, "income" | "marginMoves">;
  readonly markets: Pick<MarketHistory, "upToDate" | "trades" | "klines" | "fundingRates">;
}

/** Public data of a market in memory. */
export type FapiMarketData = Pick<
  MarketData,
  "board" | "depth" | "bookTicker" | "trades" | "aggTrades" | "klines" | "ticker" | "markPrice"
>;

export interface FapiListenKeys {
  issue(address: string): Promise<string>;
  /** Undefined where there is no live key. */
  extend(address: string): Promise<string | undefined>;
  /** False where there was none. */
  revoke(address: string): Promise<boolean>;
}

export interface FapiDirectory {
  numberOf(address: string): number | undefined;
  ensure(address: string): Promise<number>;
}
