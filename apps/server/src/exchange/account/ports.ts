import { createHmac } from "node:crypto";
import type { AccessTokens } from "../../identity/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Limits } from "../../kernel/http/limits.ts";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import type { AccountSettings } from "../accounts/account-settings.ts";
import type { AccountDirectory } from "../accounts/directory.ts";
import type { MarketHistory } from "../history/market-history.ts";
import type { MoneyHistory } from "../history/money-history.ts";
import type { OrderHistory } from "../history/order-history.ts";
import type { RiskHistory } from "../history/risk-history.ts";
import type { TradeHistory } from "../history/trade-history.ts";
import type { Exchange } from "../host/exchange.ts";
import type { MarketData } from "../market-data/market-data.ts";
import type { PrivateEvents } from "../streams/private-events.ts";

/** Reads from the database. Each call waits until the tables hold the account's last event. */
export interface AccountHistory {
  readonly orders: Pick<OrderHistory, "page">;
  readonly trades: Pick<TradeHistory, "page">;
  readonly money: Pick<MoneyHistory, "incomePage" | "equityPage">;
  readonly markets: Pick<MarketHistory, "fundingPage">;
  readonly risk: Pick<RiskHistory, "events">;
}

/** Public market data in memory. */
export type AccountMarketData = Pick<MarketData, "ticker">;

export interface AccountPrices {
  /** The estimated funding rate of the current hour. */
  estimate_e8(market: number): number;
}

/** The account's stored private events, by increasing number. */
export type AccountPrivateEvents = Pick<PrivateEvents, "after">;

export interface AccountAreaOptions {
  readonly exchange: Exchange;
  readonly directory: Pick<AccountDirectory, "numberOf">;
  readonly accountSettings: Pick<AccountSettings, "set" | "keptOf">;
  readonly clock: Clock;
  readonly history: AccountHistory;
  /** Signs where a client is in its private events. */
  readonly cursors: PageCursors;
  readonly marketData: AccountMarketData;
  readonly prices: AccountPrices;
  readonly privateEvents: AccountPrivateEvents;
  /** SEC-10: the orders of an account count against one limit for all interfaces. */
  readonly orderLimits: Pick<Limits, "orders10s" | "orders1m">;
  /** For the fee schedule, which is open to anyone and adds a wallet's own rates. */
  readonly tokens: Pick<AccessTokens, "verify">;
}

/**
 * WIRE-8: the key that signs page cursors. It is derived for this purpose only, so that a cursor cannot be used as any
 * other value that the secret signs.
 */
export function cursorKey(jwtSecret: string): Buffer {
  return createHmac("sha256", jwtSecret).update("cursor").digest();
}
