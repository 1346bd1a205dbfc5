/** One line of the bench: what was measured, against which baseline in the same run, and what is aimed at. */
export interface Row {
  readonly name: string;
  readonly figure: string;
  readonly baseline: string;
  readonly ratio: number;
  readonly aim: string;
}

/** A measurement: one line, or several that belong together. */
export type Bench = () => Promise<Row | readonly Row[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const perSecond = (value: number) => `${Math.round(value).toLocaleString("en-US")}/s`;

export function printTable(rows: readonly Row[]): void {
  const cells = [
    ["what", "figure", "baseline", "ratio", "aim"],
    ...rows.map((row) => [row.name, row.figure, row.baseline, row.ratio.toFixed(2), row.aim]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const format = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  console.log(`\n${cells.map(format).join("\n")}\n`);
}
