import { Decimal, MoneyError } from "@bourse/money";
import { badRequest } from "./errors.ts";

/** WIRE-2: a number or decimal text, exactly. */
export function readDecimal(name: string, value: string | number): Decimal {
  try {
    return Decimal.fromJson(value);
  } catch (error) {
    if (error instanceof MoneyError)
      throw badRequest(`${name}: ${error.message}`, { rule: "decimal", parameter: name });
    throw error;
  }
}

/** A decimal as whole units of 10^-digits, what is finer cut off; refused where it leaves the safe range. */
export function unitsOf(name: string, decimal: Decimal, digits: number): number {
  const units = decimal.toUnits(digits, "floor");
  if (units > BigInt(Number.MAX_SAFE_INTEGER) || units < 0n) {
    throw badRequest(`${name} is out of range`, { rule: "range", parameter: name });
  }
  return Number(units);
}
