/** Pure geometry of the small charts; pixels are floating point, figures stay texts. */
export interface Point {
  /** Where on the axis: a time or a place in the row. */
  readonly label: string;
  /** The exact figure. */
  readonly value: string;
}

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Round steps that cover all values, with zero for bars. */
export function scaleOf(values: readonly number[], hasZero: boolean, wanted = 4): Scale {
  const lowest = Math.min(...values, ...(hasZero ? [0] : []));
  const highest = Math.max(...values, ...(hasZero ? [0] : []));
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return { min: 0, max: 1, ticks: [0, 1] };
  const span = highest - lowest || Math.abs(highest) || 1;
  const rough = span / wanted;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * (STEPS.find((candidate) => candidate * magnitude >= rough) ?? 10);
  const first = Math.floor(lowest / step);
  const last = Math.max(Math.ceil(highest / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(14)),
  );
  return { min: first * step, max: last * step, ticks };
}

/** The point under the pointer. */
export function nearestIndex(fraction: number, count: number): number {
  if (count <= 1) return 0;
  return Math.min(count - 1, Math.max(0, Math.round(fraction * (count - 1))));
}
