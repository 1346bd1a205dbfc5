import { addChecked, CEIL, mulDiv, subChecked, TRUNC } from "../integers.ts";
import { notionalOf } from "./notional.ts";
import { ONE_e8 } from "./units.ts";

/** FUT-14: the interest of eight hours, 0.0001. */
const INTEREST_e8 = 10_000;
/** FUT-14: the bound of interest − premium, 0.0005. */
const CLAMP_e8 = 50_000;
const HOURS = 8;

/**
 * FUT-14: one sample of the premium: how far the impact bid is above the index price, or the impact ask below it, as a
 * part of the index price. An impact price of 0 means that this side of the book is too thin, and counts as no premium.
 * Rounded toward zero, which favours neither side.
 */
export function premiumSample_e8(impactBidTicks: number, impactAskTicks: number, indexTicks: number): number {
  const above = impactBidTicks === 0 ? 0 : Math.max(0, subChecked(impactBidTicks, indexTicks));
  const below = impactAskTicks === 0 ? 0 : Math.max(0, subChecked(indexTicks, impactAskTicks));
  return mulDiv(subChecked(above, below), ONE_e8, indexTicks, TRUNC);
}

/** The mean of an hour's samples, toward zero; 0 without samples. */
export function averagePremium_e8(sum_e8: number, count: number): number {
  return count === 0 ? 0 : mulDiv(sum_e8, 1, count, TRUNC);
}

/**
 * FUT-14: the hourly rate of an average premium: F8 = P + clamp(0.0001 − P, ±0.0005), an eighth of it toward zero,
 * within the market's cap. Positive: longs pay.
 */
export function fundingRate_e8(premium_e8: number, cap_e8: number): number {
  const pull_e8 = clamp(subChecked(INTEREST_e8, premium_e8), CLAMP_e8);
  const hourly_e8 = mulDiv(addChecked(premium_e8, pull_e8), 1, HOURS, TRUNC);
  return clamp(hourly_e8, cap_e8);
}

/**
 * FUT-14: what a position pays at a rate; negative if it receives. Rounded toward positive infinity, so that payers pay
 * the fraction and receivers lose it. The exact payments of a market add up to zero, so the sum of the rounded ones is
 * the residue: at least 0, and it goes to the fund.
 */
export function fundingPayment(lots: number, markTicks: number, unit_micros: number, rate_e8: number): number {
  return mulDiv(notionalOf(markTicks, lots, unit_micros), rate_e8, ONE_e8, CEIL);
}

function clamp(value: number, bound: number): number {
  return Math.max(0 - bound, Math.min(bound, value));
}
