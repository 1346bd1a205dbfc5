import type { MarketInfo, MarketList } from "../account-views.ts";
import type { Invariants, MarketRequest, MarketStatusRequest, Switches, SwitchesRequest } from "../exchange-admin.ts";
import type { PriceReport, PriceReports, PushedPriceRequest } from "../prices.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

const BASE = "/api/v1/admin";

/** Markets, kill switches, prices, and what must always be true. */
export const exchangeAdminClient = ({ get, send }: Call) => ({
  markets: (options?: ReadOptions) => get<MarketList>(`${BASE}/markets`, {}, options),
  addMarket: (request: Given<MarketRequest>) => send<MarketInfo>("POST", `${BASE}/markets`, request),
  setMarketStatus: (symbol: string, request: Given<MarketStatusRequest>) =>
    send<MarketInfo>("PUT", `${BASE}/markets/${segment(symbol)}`, request),
  switches: (options?: ReadOptions) => get<Switches>(`${BASE}/switches`, {}, options),
  setSwitches: (request: Given<SwitchesRequest>) => send<Switches>("PUT", `${BASE}/switches`, request),
  prices: (options?: ReadOptions) => get<PriceReports>(`${BASE}/prices`, {}, options),
  pushPrice: (request: Given<PushedPriceRequest>) => send<PriceReport>("POST", `${BASE}/prices`, request),
  invariants: (options?: ReadOptions) => get<Invariants>(`${BASE}/invariants`, {}, options),
});
