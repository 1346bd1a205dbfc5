import type { MarketInfo } from "@bourse/api/client";

/** What of a market decides over an order. */
export type MarketRules = Pick<
  MarketInfo,
  | "symbol"
  | "base_asset"
  | "status"
  | "tick_size"
  | "lot_size"
  | "min_order_size_usd"
  | "max_order_size_usd"
  | "max_leverage"
  | "price_band"
  | "brackets"
>;

/** Prices as they are now; undefined where there is none yet. */
export interface Prices {
  readonly mark: string | undefined;
  readonly last: string | undefined;
  readonly bid: string | undefined;
  readonly ask: string | undefined;
}
