import { Decimal, type Rounding } from "@bourse/money";

/** Thin enough not to be mistaken for a decimal point in any language. */
const GROUP = ",";
const MINUS = "−";

/** Digits of the whole part in threes. */
export function groupDigits(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, GROUP);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export interface NumberStyle {
  /** The number of decimals; all of them if absent. */
  readonly decimals?: number;
  readonly rounding?: Rounding;
  /** A plus before what is above zero. */
  readonly signed?: boolean;
}

/** A decimal text for a reader: grouped, with a real minus. Never goes through a floating-point number. */
export function formatDecimal(
  text: string,
  { decimals, rounding = "trunc", signed = false }: NumberStyle = {},
): string {
  const value = Decimal.parse(text);
  const digits = decimals === undefined ? value.toString() : value.toFixed(decimals, rounding);
  const isNegative = digits.startsWith("-");
  const magnitude = groupDigits(isNegative ? digits.slice(1) : digits);
  // What rounds to nothing has no sign.
  if (/^[0.,]*$/.test(magnitude)) return magnitude;
  return isNegative ? MINUS + magnitude : signed ? `+${magnitude}` : magnitude;
}

/** Money with two decimals, towards zero: never shows more than there is. */
export const formatMoney = (text: string, style: NumberStyle = {}): string =>
  formatDecimal(text, { decimals: 2, ...style });

/** A fraction ("0.0125") as per cent ("1.25"). */
export function percentOf(fraction: string, decimals = 2): string {
  return formatDecimal(Decimal.parse(fraction).mul(HUNDRED).toString(), { decimals, rounding: "halfUp" });
}
const HUNDRED = Decimal.parse("100");

/** How many decimals a step such as a tick ("0.10") has. */
export function decimalsOf(step: string): number {
  const trimmed = step.includes(".") ? step.replace(/0+$/, "") : step;
  return trimmed.split(".")[1]?.length ?? 0;
}

const SCALES: readonly (readonly [string, string])[] = [
  ["1000000000", "B"],
  ["1000000", "M"],
  ["1000", "K"],
];

/** For axes and headlines where the magnitude counts: 1.24M. */
export function formatCompact(text: string): string {
  const value = Decimal.parse(text);
  const magnitude = value.isNegative() ? Decimal.ZERO.sub(value) : value;
  for (const [size, letter] of SCALES) {
    const unit = Decimal.parse(size);
    if (magnitude.gte(unit)) {
      return formatDecimal(value.div(unit, 2, "trunc").toString(), { decimals: 2 }) + letter;
    }
  }
  return formatDecimal(text, { decimals: 2 });
}

/** Begin and end of an address or a hash. */
export function shortHash(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
