import { badRequest } from "../../kernel/errors.ts";
import { parseSize } from "../../kernel/units.ts";

/** Small numbers have an exponent as text, which a decimal has not. */
const plainText = (value: number) => (Math.abs(value) < 1e-6 ? value.toFixed(8) : String(value));

/** A price in 1e-8; what is beyond eight decimals could not be told from a mistake. */
export function readPrice(given: string | number): number {
  const read = parseSize(typeof given === "number" ? plainText(given) : given.trim());
  if (read === undefined || read.isInexact || read.value <= 0) {
    throw badRequest("price must be a price above 0", { rule: "price", parameter: "price" });
  }
  return read.value;
}
