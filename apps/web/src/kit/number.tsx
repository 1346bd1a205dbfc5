import { cx } from "../lib/cx.ts";
import { Decimal } from "../lib/decimal.ts";
import { formatDecimal, type NumberStyle, percentOf } from "../lib/format.ts";

interface NumProps extends NumberStyle {
  /** A decimal text; nothing shows as a dash. */
  readonly value: string | number | null | undefined;
  readonly unit?: string;
  readonly className?: string;
}

const NOTHING = <span className="text-faint">–</span>;

/** A figure: grouped, of steady width, with the exact value on hover. */
export function Num({ value, unit, className, ...style }: NumProps) {
  if (value === null || value === undefined || value === "") return NOTHING;
  const text = String(value);
  return (
    <span className={cx("num", className)} title={unit === undefined ? text : `${text} ${unit}`}>
      {formatDecimal(text, style)}
      {unit !== undefined && <span className="text-faint"> {unit}</span>}
    </span>
  );
}

export const Money = ({ unit = "USDT", ...rest }: NumProps) => <Num decimals={2} unit={unit} {...rest} />;

/** Profit or loss: sign and colour. */
export function Signed({ value, className, ...rest }: NumProps) {
  if (value === null || value === undefined || value === "") return NOTHING;
  const amount = Decimal.parse(String(value));
  const tone = amount.isZero() ? "" : amount.isNegative() ? "text-down" : "text-up";
  return <Num value={value} signed className={cx(tone, className)} decimals={2} {...rest} />;
}

interface PercentProps {
  /** As a fraction: "0.0125" is 1.25 %. */
  readonly fraction: string | null | undefined;
  readonly decimals?: number;
}

export function Percent({ fraction, decimals = 2 }: PercentProps) {
  if (fraction === null || fraction === undefined) return NOTHING;
  return (
    <span className="num" title={fraction}>
      {percentOf(fraction, decimals)} %
    </span>
  );
}
