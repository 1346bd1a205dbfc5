import { addChecked, CEIL, FLOOR, mulChecked, mulDiv, subChecked } from "../integers.ts";

/** Who pays a cost; the caller keeps one object and reuses it for every call. */
export interface CostSplit {
  fromPrincipal_micros: number;
  fromBonus_micros: number;
  /** What neither can pay. Open profits may cover a loss; then the caller takes principal below zero. */
  shortfall_micros: number;
}

/**
 * BON-7: splits one cost (a fee, funding paid, a realised loss). Cost and bonus are ≥ 0, principal may be below. Each
 * pays half while both are positive, principal the odd micro; when one is used up the other pays the rest. The three
 * parts always add up to the cost.
 */
export function splitCost(cost_micros: number, principal_micros: number, bonus_micros: number, split: CostSplit): void {
  const principal = Math.max(0, principal_micros);
  const bonusHalf = Math.min(bonus_micros, mulDiv(cost_micros, 1, 2, FLOOR));
  const fromPrincipal = Math.min(principal, subChecked(cost_micros, bonusHalf));
  const fromBonus = Math.min(bonus_micros, subChecked(cost_micros, fromPrincipal));
  split.fromPrincipal_micros = fromPrincipal;
  split.fromBonus_micros = fromBonus;
  split.shortfall_micros = subChecked(subChecked(cost_micros, fromPrincipal), fromBonus);
}

/** BON-7: the part of the bonus that covers margin in use: half of it, plus what principal lacks for the other half. */
export function bonusLocked(bonus_micros: number, principal_micros: number, initialMargin_micros: number): number {
  const byPrincipal = Math.min(principal_micros, mulDiv(initialMargin_micros, 1, 2, CEIL));
  return Math.min(bonus_micros, subChecked(initialMargin_micros, byPrincipal));
}

/**
 * BON-9: the bonus that can return to the pool now: what is not locked, as far as the available balance (FUT-9) allows,
 * because free bonus may be the only cover of an open loss.
 */
export function returnableBonus(bonus_micros: number, locked_micros: number, available_micros: number): number {
  return Math.max(0, Math.min(subChecked(bonus_micros, locked_micros), available_micros));
}

/** BON-7: what fills of a bonus may cost against the mark before principal bears it alone: 5 % of the grant. */
export function budgetOf(grant_micros: number): number {
  return mulDiv(grant_micros, 1, 20, FLOOR);
}

/** BON-8: bonus / (bonus + max(principal, 0)) > 0.60, multiplied out: 2 × bonus > 3 × principal. */
export function isBonusHeavy(bonus_micros: number, principal_micros: number): boolean {
  return mulChecked(2, bonus_micros) > mulChecked(3, Math.max(0, principal_micros));
}

/**
 * BON-8: whether an order could leave exposure against the account's net side. `orderLots` is signed; `openLots`
 * (without sign) is what the account's other open orders on the order's side may still fill, because together they can
 * turn a position that each alone would only reduce. Reduce-only orders do not count and are not checked: they shrink
 * with the position (FUT-6). Always false for a flat account.
 */
export function isAgainstNetSide(positionLots: number, orderLots: number, openLots: number): boolean {
  if (positionLots === 0 || positionLots < 0 === orderLots < 0) return false;
  return addChecked(Math.abs(orderLots), openLots) > Math.abs(positionLots);
}

/** BON-8: whether an order is refused with -4400. */
export function isRefusedByBonusRatio(
  bonus_micros: number,
  principal_micros: number,
  positionLots: number,
  orderLots: number,
  openLots: number,
): boolean {
  return isBonusHeavy(bonus_micros, principal_micros) && isAgainstNetSide(positionLots, orderLots, openLots);
}
