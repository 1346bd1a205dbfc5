import { arch, cpus } from "node:os";

/** The target: for the ratio or, with a unit, for the figure itself. */
export interface Aim {
  readonly direction: "≥" | "≤";
  readonly bound: number;
  readonly figure?: { readonly value: number; readonly unit: string };
}

export const atLeast = (bound: number): Aim => ({ direction: "≥", bound });
export const atMost = (bound: number): Aim => ({ direction: "≤", bound });
/** A target for the figure itself, independent of the baseline. */
export const figureAtMost = (bound: number, value: number, unit: string): Aim => ({
  direction: "≤",
  bound,
  figure: { value, unit },
});

/** One line of the bench: what was measured, against which baseline in the same run, and the target, if any. */
export interface Row {
  readonly name: string;
  readonly figure: string;
  readonly baseline: string;
  readonly ratio: number;
  readonly aim: Aim | null;
}

/** A measurement: one line, or several that belong together. */
export type Bench = () => Promise<Row | readonly Row[]>;

/** What was measured is wrong; the figures are still reported. */
export class BenchFault extends Error {
  readonly rows: readonly Row[];

  constructor(message: string, rows: readonly Row[]) {
    super(message);
    this.name = "BenchFault";
    this.rows = rows;
  }
}

/** The result of a bench: its rows, or why there are none. */
export interface Outcome {
  readonly bench: string;
  readonly area: string;
  readonly took_s: number;
  readonly rows: readonly Row[];
  readonly failure?: string;
  readonly skipped?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const perSecond = (value: number) => `${Math.round(value).toLocaleString("en-US")}/s`;

export const machine = () => ({ cores: cpus().length, arch: arch(), node: process.versions.node });

/** Undefined without a target. */
export function isReached({ ratio, aim }: Row): boolean | undefined {
  if (aim === null) return undefined;
  const value = aim.figure?.value ?? ratio;
  return aim.direction === "≥" ? value >= aim.bound : value <= aim.bound;
}

/** 120 columns together with the separators. */
const WIDTHS = [38, 28, 24, 8, 8, 3] as const;
const SEPARATOR = "  ";
const HEADINGS = ["what", "figure", "baseline", "ratio", "aim", "met"] as const;

/** Wraps at spaces if there are any. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= width || line === "") line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function format(cells: readonly string[]): string {
  const wrapped = cells.map((cell, column) => wrap(cell, WIDTHS[column]!));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    wrapped
      .map((lines, column) => (lines[at] ?? "").padEnd(WIDTHS[column]!))
      .join(SEPARATOR)
      .trimEnd(),
  ).join("\n");
}

const ratioText = (ratio: number) => (ratio < 0.005 ? "< 0.01" : ratio >= 1_000 ? ratio.toFixed(0) : ratio.toFixed(2));

export function aimText(aim: Aim | null): string {
  if (aim === null) return "-";
  return `${aim.direction} ${aim.bound}${aim.figure === undefined ? "" : ` ${aim.figure.unit}`}`;
}

function rowText(row: Row): string {
  const reached = isReached(row);
  const mark = reached === undefined ? "-" : reached ? "yes" : "NO";
  return format([row.name, row.figure, row.baseline, ratioText(row.ratio), aimText(row.aim), mark]);
}

function outcomeText({ bench, rows, failure, skipped }: Outcome): string[] {
  if (skipped !== undefined) return [`${bench}: skipped, ${skipped}`];
  return [...rows.map(rowText), ...(failure === undefined ? [] : [`${bench}: FAILED, ${failure}`])];
}

/** All results, area by area. */
export function tableText(outcomes: readonly Outcome[]): string {
  const { cores, arch: architecture, node } = machine();
  const total_s = outcomes.reduce((sum, { took_s }) => sum + took_s, 0);
  const areas = [...Map.groupBy(outcomes, ({ area }) => area)];
  return [
    "",
    `${cores} cores, ${architecture}, Node ${node}; ${total_s.toFixed(0)} s in all`,
    "",
    format(HEADINGS),
    ...areas.flatMap(([area, own]) => ["", `${area} ${"─".repeat(118 - area.length)}`, ...own.flatMap(outcomeText)]),
    "",
  ].join("\n");
}

/** The same as JSON. */
export function tableJson(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ bench, area, rows: own }) =>
    own.map((row) => ({ area, bench, ...row, aim: aimText(row.aim), reached: isReached(row) ?? null })),
  );
  const benches = outcomes.map(({ rows: _, ...rest }) => rest);
  return `${JSON.stringify({ machine: machine(), benches, rows }, null, 2)}\n`;
}
