import { cx } from "../lib/cx.ts";

interface SparklineProps {
  /** Decimal texts, the oldest first. */
  readonly values: readonly string[];
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  readonly className?: string;
}

const WIDTH = 96;
const HEIGHT = 28;

/** The past of a figure as a small line without labels. */
export function Sparkline({ values, label, className }: SparklineProps) {
  const numbers = values.map(Number);
  const highest = Math.max(...numbers, 0);
  const lowest = Math.min(...numbers, 0);
  const span = highest - lowest || 1;
  const x = (at: number) => (numbers.length < 2 ? WIDTH : (at / (numbers.length - 1)) * WIDTH);
  const y = (value: number) => 2 + (HEIGHT - 4) * (1 - (value - lowest) / span);
  const line = numbers.map((value, at) => `${at === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cx("h-7 w-24 shrink-0 overflow-visible", className)}
    >
      {numbers.length > 1 && (
        <>
          <path d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} fill="var(--accent-soft)" />
          <path d={line} fill="none" stroke="var(--accent)" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
}
