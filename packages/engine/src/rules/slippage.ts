import { CEIL, FLOOR, mulChecked, mulDiv, subChecked } from "../integers.ts";
import { BUY, type Side } from "../side.ts";
import { ONE_e8 } from "./units.ts";

/**
 * The result of scanning the book for an order, up to the bound of market orders (FUT-4). The reference is the best
 * opposite price, so a slippage of 0 means that the whole order trades at the price that the client saw.
 */
export interface BookScan {
  /** Lots (without sign) that would trade, and the sum of price × lots over them. */
  filledLots: number;
  filledTickLots: number;
  referenceTicks: number;
}

/**
 * FUT-4: how much worse than the reference the average price is, for `est_slippage`. Rounded up; 0 if nothing fills.
 */
export function estimatedSlippage_e8(scan: BookScan, side: Side): number {
  if (scan.filledLots === 0) return 0;
  const reference = mulChecked(scan.referenceTicks, scan.filledLots);
  return Math.max(0, mulDiv(excessOf(scan, side, reference), ONE_e8, reference, CEIL));
}

/**
 * FUT-4: whether a client's `max_slippage` refuses the whole order. Exactly the limit is accepted. A book that cannot
 * fill the order within the bound refuses it too, because the price of the rest is unknown.
 */
export function exceedsMaxSlippage(scan: BookScan, side: Side, orderLots: number, maxSlippage_e8: number): boolean {
  if (scan.filledLots < orderLots) return true;
  const reference = mulChecked(scan.referenceTicks, scan.filledLots);
  // The excess is whole, so it exceeds the allowance exactly if it exceeds its floor.
  return excessOf(scan, side, reference) > mulDiv(reference, maxSlippage_e8, ONE_e8, FLOOR);
}

function excessOf(scan: BookScan, side: Side, referenceTickLots: number): number {
  return side === BUY
    ? subChecked(scan.filledTickLots, referenceTickLots)
    : subChecked(referenceTickLots, scan.filledTickLots);
}
