import { createHmac } from "node:crypto";
import type { AccessTokens } from "../../identity/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Limits } from "../../kernel/http/limits.ts";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import type { AccountDirectory } from "../accounts/directory.ts";
import type { MarketHistory } from "../history/market-history.ts";
import type { MoneyHistory } from "../history/money-history.ts";
import type { OrderHistory } from "../history/order-history.ts";
import type { TradeHistory } from "../history/trade-history.ts";
import type { Exchange } from "../host/exchange.ts";
import type { MarketData } from "../market-data/market-data.ts";
import type { PrivateEvents } from "../streams/private-events.ts";

/** What is read from the database; each waits until it holds the account's last event. */
export interface AccountHistory {
  readonly orders: Pick<OrderHistory, "page">;
  readonly trades: Pick<TradeHistory, "page">;
  readonly money: Pick<MoneyHistory, "incomePage" | "equityPage">;
  readonly markets: Pick<MarketHistory, "fundingPage">;
}

/** Public data in memory. */
export type AccountMarketData = Pick<MarketData, "ticker">;

export interface AccountPrices {
  /** The funding rate of the hour under way, as far as it is known. */
  estimate_e8(market: number): number;
}

/** What has happened to an account, with rising numbers, for as long as it is kept. */
export type AccountPrivateEvents = Pick<PrivateEvents, "after">;

export interface AccountAreaOptions {
  readonly exchange: Exchange;
  readonly directory: Pick<AccountDirectory, "numberOf" | "ensure">;
  readonly clock: Clock;
  readonly history: AccountHistory;
  /** Signs where a client is in its private events. */
  readonly cursors: PageCursors;
  readonly marketData: AccountMarketData;
  readonly prices: AccountPrices;
  readonly privateEvents: AccountPrivateEvents;
  /** SEC-10: orders per account are counted together, whichever interface they come by. */
  readonly orderLimits: Pick<Limits, "orders10s" | "orders1m">;
  /** For the one endpoint that says more to whoever is signed in. */
  readonly tokens: Pick<AccessTokens, "verify">;
}

/** WIRE-8: the key that signs cursors. One of its own, so that no cursor passes for anything else made of the secret. */
export function cursorKey(jwtSecret: string): Buffer {
  return createHmac("sha256", jwtSecret).update("cursor").digest();
}
