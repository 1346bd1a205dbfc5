import type { FileTally, Tally } from "./collector.ts";

export interface SuiteResult extends Tally {
  readonly suite: string;
  /** The sum over its files, including those that ran in parallel. */
  readonly duration_ms: number;
  /** Time of a core; unlike the duration it does not grow on a busy machine. */
  readonly cpu_ms: number;
  /** Printed in the table instead of counts, for a suite that had nothing to run. */
  readonly note?: string;
}

const seconds = (duration_ms: number): string => (duration_ms / 1000).toFixed(1);
const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

function counts({ passed, failures, skips }: Tally): string {
  const named: readonly (readonly [number, string])[] = [
    [passed, "passed"],
    [failures.length, "failed"],
    [skips.length, "skipped"],
  ];
  const said = named.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return said.length === 0 ? "nothing ran" : said.join(", ");
}

export function fileLine(suite: string, tally: FileTally): string {
  const mark = tally.failures.length === 0 ? "ok    " : "FAILED";
  const cpu = tally.cpu_ms === undefined ? "" : `, ${seconds(tally.cpu_ms)} s CPU`;
  return `${mark}  ${suite}  ${tally.file}  ${counts(tally)}  ${seconds(tally.duration_ms)} s${cpu}`;
}

/** Every failure in full, then the file's output, then the skipped tests. */
export function details({ failures, skips, output = "" }: Tally & { readonly output?: string }): string {
  const blocks = failures.map(({ name, detail }) => `    FAILED  ${name}\n${indent(detail, "      ")}\n`);
  if (failures.length > 0 && output !== "") blocks.push(`    printed:\n${indent(output.trimEnd(), "      ")}\n`);
  const skipLines = skips.map(({ name, reason }) => `    skipped  ${name}${reason === "" ? "" : ` (${reason})`}`);
  return [...blocks, ...skipLines].join("\n");
}

function table(results: readonly SuiteResult[]): string {
  const rows = [
    ["suite", "passed", "failed", "skipped", "seconds", "CPU"],
    ...results.map((result) => [
      result.suite,
      String(result.passed),
      String(result.failures.length),
      String(result.skips.length),
      seconds(result.duration_ms),
      seconds(result.cpu_ms),
      ...(result.note === undefined ? [] : [result.note]),
    ]),
  ];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column === 0 || column > 5 ? text.padEnd(width) : text.padStart(width);
  };
  return rows.map((row) => row.map(cell).join("  ")).join("\n");
}

/** The end of the run: names of failures and skips again, the table, the time, and the totals as the last line. */
export function summary(results: readonly SuiteResult[], duration_ms: number): string {
  const total = (count: (result: SuiteResult) => number): number =>
    results.reduce((sum, result) => sum + count(result), 0);
  const names = results.flatMap((result) => [
    ...result.failures.map(({ name }) => `failed   ${result.suite}: ${name}`),
    ...result.skips.map(
      ({ name, reason }) => `skipped  ${result.suite}: ${name}${reason === "" ? "" : ` (${reason})`}`,
    ),
  ]);
  const passed = total((result) => result.passed);
  const failed = total((result) => result.failures.length);
  const skipped = total((result) => result.skips.length);
  return [
    ...(names.length === 0 ? [] : [names.join("\n")]),
    table(results),
    `Total time ${seconds(duration_ms)} s`,
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ].join("\n\n");
}
