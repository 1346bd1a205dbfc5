import type { AccountSettings } from "../accounts/account-settings.ts";
import type { Downloads } from "../downloads/downloads.ts";
import type { AlgoHistory } from "../history/algo-history.ts";
import type { MarketHistory } from "../history/market-history.ts";
import type { MoneyHistory } from "../history/money-history.ts";
import type { OrderHistory } from "../history/order-history.ts";
import type { RiskHistory } from "../history/risk-history.ts";
import type { StatisticsHistory } from "../history/statistics-history.ts";
import type { TradeHistory } from "../history/trade-history.ts";
import type { MarketData } from "../market-data/market-data.ts";
import type { Prices } from "../prices/prices.ts";

/*
 * What this interface reads from other parts. Values are in the engine's units: ticks, lots, micros, 1e-8,
 * milliseconds, markets by number. Lists ascend by time; with a start or a first id they hold the earliest matches,
 * otherwise the latest.
 */

/**
 * Reads the database. Reads for an account wait until the tables hold the account's last event, or throw
 * `ProjectionTimeout`.
 */
export interface FapiHistory {
  readonly orders: Pick<OrderHistory, "byId" | "byClientId" | "list" | "forced" | "amendments">;
  readonly algos: Pick<AlgoHistory, "find" | "list">;
  readonly trades: Pick<TradeHistory, "list" | "forced">;
  readonly money: Pick<MoneyHistory, "income" | "marginMoves">;
  readonly markets: Pick<MarketHistory, "upToDate" | "trades" | "klines" | "fundingRates">;
  readonly risk: Pick<RiskHistory, "forcedCloses">;
  readonly statistics: Pick<StatisticsHistory, "samples" | "takerVolumes">;
}

/** The sources of the index prices. */
export type FapiPrices = Pick<Prices, "report">;

/** Files of histories. */
export type FapiDownloads = Pick<Downloads, "request" | "find" | "open">;

/** Public market data in memory. */
export type FapiMarketData = Pick<
  MarketData,
  "board" | "depth" | "bookTicker" | "trades" | "aggTrades" | "klines" | "ticker" | "markPrice"
>;

export interface FapiListenKeys {
  issue(address: string): Promise<string>;
  /** Undefined if there is no live key. */
  extend(address: string): Promise<string | undefined>;
  /** False if there was no key. */
  revoke(address: string): Promise<boolean>;
}

export interface FapiDirectory {
  numberOf(address: string): number | undefined;
}

export type FapiAccountSettings = Pick<AccountSettings, "set" | "keptOf">;
