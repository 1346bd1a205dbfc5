import { bankruptcyTicks, liquidationPrice, MAX_TICKS, type Market, TICK_microTicks } from "@bourse/engine";

/**
 * FUT-11 as it is shown, in millionths of a tick; 0 where no price liquidates the position. The engine's own rule refuses
 * to work out prices that leave the safe range, and a small position beside a large balance has such a one: it lies
 * above every price that there can be, so there is none.
 */
export function shownLiquidationPrice(
  market: Market,
  lots: number,
  cost_micros: number,
  beside_micros: number,
): number {
  if (lots === 0) return 0;
  // Maintenance is less than the whole value, so a liquidation price is more than half of the bankruptcy price.
  if (bankruptcyTicks(lots, cost_micros, beside_micros, market.unit_micros) > 2 * MAX_TICKS) return 0;
  const price = liquidationPrice(market, lots, cost_micros, beside_micros);
  return price > MAX_TICKS * TICK_microTicks ? 0 : price;
}
