/** The auditor's own arithmetic: whole numbers only, no code of the platform. */
const SCALE = 8;

/** A decimal text in units of 10^-digits; more digits than that are an error. */
export function units(text: string, digits: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`${text} is no decimal`);
  const [, sign, whole, fraction = ""] = match;
  const cut = fraction.padEnd(digits, "0");
  if (/[1-9]/.test(cut.slice(digits))) throw new Error(`${text} has more than ${digits} decimals`);
  const value = BigInt(`${whole}${cut.slice(0, digits)}`);
  return sign === "-" ? -value : value;
}

export const micros = (text: string): bigint => units(text, 6);

export const shown = (amount: bigint): string => {
  const size = (amount < 0n ? -amount : amount).toString().padStart(7, "0");
  return `${amount < 0n ? "-" : ""}${size.slice(0, -6)}.${size.slice(-6)}`;
};

export const abs = (value: bigint): bigint => (value < 0n ? -value : value);

export function ceilDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by !== 0n && value > 0n === by > 0n ? quotient + 1n : quotient;
}

export const floorDivide = (value: bigint, by: bigint): bigint => -ceilDivide(-value, by);

/** Price times quantity in micros; prices are on ticks and quantities in lots, so the result is exact. */
export function notionalOf(price: string, quantity: bigint): bigint {
  const product = units(price, SCALE) * quantity;
  const unit = 10n ** BigInt(2 * SCALE - 6);
  if (product % unit !== 0n) throw new Error(`${price} × ${quantity}e-8 is no whole number of micros`);
  return product / unit;
}

export const quantityOf = (text: string): bigint => units(text, SCALE);

export const sum = (values: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const value of values) total += value;
  return total;
};
