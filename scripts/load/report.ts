import { arch, cpus } from "node:os";
import type { Check } from "./verdicts.ts";

/** One line of the table at the end. */
export interface Line {
  readonly part: string;
  readonly what: string;
  readonly figure: string;
}

const MARKS = new Map<boolean | null, string>([
  [true, "ok"],
  [false, "FAILED"],
  [null, "not looked at"],
]);

export const machine = (): string => `${cpus().length} cores, ${arch()}, Node ${process.versions.node}`;

/** All measurements, then all checks. */
export function tableOf(lines: readonly Line[], checks: readonly Check[], took_s: number): string {
  const rows = [
    ...lines.map(({ part, what, figure }) => [part, what, figure] as const),
    ...checks.map(({ name, ok, detail }) => ["check", name, `${MARKS.get(ok)}: ${detail}`] as const),
  ];
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  const widths = [width(0), width(1)] as const;
  let lastPart = "";
  const text = rows.map(([part, what, figure]) => {
    const shown = part === lastPart ? "" : part;
    lastPart = part;
    return `${shown.padEnd(widths[0])}  ${what.padEnd(widths[1])}  ${figure}`;
  });
  return [`\n${machine()}, ${took_s.toFixed(0)} s in all\n`, ...text, ""].join("\n");
}
