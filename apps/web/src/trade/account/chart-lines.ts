import type { ChartLine } from "../chart-line.ts";

const NONE: readonly ChartLine[] = [];

export function useChartLines(_symbol: string): readonly ChartLine[] {
  return NONE;
}
