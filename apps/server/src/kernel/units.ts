import type { Market } from "@bourse/engine";

/* Converts between the engine's integers and the decimal texts of the wire. Parsing is exact or refused; formatting is exact. */

const E8_DIGITS = 8;
const MICRO_DIGITS = 6;

type Sizes = Pick<Market, "tickSize_e8" | "lotSize_e8">;

/** An integer number of 10^-digits as decimal text with at least `fewest` and at most `digits` decimals. */
export function decimalText(value: number | bigint, digits: number, fewest = 0): string {
  const big = BigInt(value);
  const text = (big < 0n ? -big : big).toString().padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const cut = text.slice(text.length - digits).replace(/0+$/, "");
  const fraction = cut.padEnd(fewest, "0");
  return `${big < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** The decimals of a size of 1e-8: 8 minus its trailing zeros. */
export function decimalsOf(size_e8: number): number {
  let decimals = E8_DIGITS;
  for (let rest = size_e8; decimals > 0 && rest % 10 === 0; rest /= 10) decimals -= 1;
  return decimals;
}

/** Prices show all decimals of the tick: 60000.1, 60000.0. */
export function priceText({ tickSize_e8 }: Sizes, ticks: number): string {
  return decimalText(BigInt(ticks) * BigInt(tickSize_e8), E8_DIGITS, decimalsOf(tickSize_e8));
}

/** Prices between ticks (entry, liquidation), given in millionths of a tick, truncated to 8 decimals. */
export function finePriceText({ tickSize_e8 }: Sizes, microTicks: number): string {
  return decimalText((BigInt(microTicks) * BigInt(tickSize_e8)) / 1_000_000n, E8_DIGITS, decimalsOf(tickSize_e8));
}

export function quantityText({ lotSize_e8 }: Sizes, lots: number): string {
  return decimalText(BigInt(lots) * BigInt(lotSize_e8), E8_DIGITS, decimalsOf(lotSize_e8));
}

/** USDT with at least two decimals: 1000.00, 0.000001. */
export function moneyText(micros: number | bigint, fewest = 2): string {
  return decimalText(micros, MICRO_DIGITS, fewest);
}

/** Rates and fractions of 1e-8: 0.0005. */
export function rateText(rate_e8: number): string {
  return decimalText(rate_e8, E8_DIGITS);
}

/** The average price of an execution: value / lots in USDT, rounded half up to the tick's decimals plus two. */
export function averagePriceText(market: Sizes, quote_micros: number, lots: number): string {
  if (lots === 0) return "0";
  const digits = Math.min(E8_DIGITS, decimalsOf(market.tickSize_e8) + 2);
  const scale = 10n ** BigInt(digits + E8_DIGITS - MICRO_DIGITS);
  const divisor = BigInt(lots) * BigInt(market.lotSize_e8);
  const value = (2n * BigInt(quote_micros) * scale + divisor) / (2n * divisor);
  return decimalText(value, digits, decimalsOf(market.tickSize_e8));
}

const DECIMAL = /^(-?)(\d{1,20})(?:\.(\d{0,30}))?$|^(-?)\.(\d{1,30})$/;

/**
 * Parses a decimal text as an integer number of 10^-digits. Undefined if it is not a plain decimal (no exponent, no plus, no
 * spaces) or exceeds the safe range; `isInexact` says that surplus decimals were cut off.
 */
export function parseDecimal(text: string, digits: number): { value: number; isInexact: boolean } | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const sign = match[1] ?? match[4] ?? "";
  const whole = match[2] ?? "0";
  const fraction = match[3] ?? match[5] ?? "";
  const kept = fraction.slice(0, digits).padEnd(digits, "0");
  const value = BigInt(`${sign}${whole}${kept}`);
  if (value > BigInt(Number.MAX_SAFE_INTEGER) || value < -BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { value: Number(value), isInexact: /[1-9]/.test(fraction.slice(digits)) };
}

/** USDT text as micros. */
export const parseMoney = (text: string) => parseDecimal(text, MICRO_DIGITS);
/** Price or quantity text as 1e-8; the engine's `ticksOfPrice` and `lotsOfQuantity` convert that further. */
export const parseSize = (text: string) => parseDecimal(text, E8_DIGITS);
