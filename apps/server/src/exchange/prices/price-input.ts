import { badRequest } from "../../kernel/errors.ts";
import { parseSize } from "../../kernel/units.ts";

/** `String` uses an exponent for small numbers, which decimals do not have. */
const plainText = (value: number) => (Math.abs(value) < 1e-6 ? value.toFixed(8) : String(value));

/** Reads a price in 1e-8. More than eight decimals are refused, because rounding would hide a mistake. */
export function readPrice(given: string | number): number {
  const read = parseSize(typeof given === "number" ? plainText(given) : given.trim());
  if (read === undefined || read.isInexact || read.value <= 0) {
    throw badRequest("price must be a price above 0", { rule: "price", parameter: "price" });
  }
  return read.value;
}
