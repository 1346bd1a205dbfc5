import type { Rounding } from "@bourse/money";
import { Decimal } from "../../lib/decimal.ts";
import { decimalsOf } from "../../lib/format.ts";

/** Whole steps (ticks, lots) only; what is finer is rounded as named. */
export function roundToStep(value: Decimal, step: string, rounding: Rounding): Decimal {
  const size = Decimal.parse(step);
  return value.div(size, 0, rounding).mul(size);
}

export const isOnStep = (value: Decimal, step: string): boolean => roundToStep(value, step, "floor").equals(value);

/** With all decimals of its step, as prices and quantities are written: "60000.0". */
export const textOnStep = (value: Decimal, step: string, rounding: Rounding): string =>
  roundToStep(value, step, rounding).toFixed(decimalsOf(step), "exact");

/** FUT-7: quantities are floored to the lot. */
export const floorToLot = (quantity: Decimal, lot: string): Decimal => roundToStep(quantity, lot, "floor");
