import { IOC, STP_NONE } from "../book/codes.ts";
import { MAX_LOTS } from "../book/limits.ts";
import type { Side } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import type { OrderRequest } from "../trading/order-request.ts";

/** An order that the engine places itself: reduce-only, IOC, without self-trade prevention. */
export function systemOrder(
  request: OrderRequest,
  market: MarketState,
  account: number,
  position: number,
  side: Side,
  lots: number,
  ticks: number,
): OrderRequest {
  request.reset(market, account, position, side);
  request.timeInForce = IOC;
  request.selfTradePrevention = STP_NONE;
  request.isReduceOnly = true;
  request.ticks = ticks;
  request.limitTicks = ticks;
  request.lots = Math.min(lots, MAX_LOTS);
  return request;
}
