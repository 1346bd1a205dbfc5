import type { Holding } from "./inspector.ts";
import { count, mib, type Sample } from "./sample.ts";

const SHOWN_HOLDINGS = 12;

/** The growth per hour: the slope of the line that fits the samples best. */
export function growthPerHour(samples: readonly Sample[], read: (sample: Sample) => number): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const middle_hours = mean(({ hours }) => hours);
  const middle = mean(read);
  let together = 0;
  let spread = 0;
  for (const sample of samples) {
    together += (sample.hours - middle_hours) * (read(sample) - middle);
    spread += (sample.hours - middle_hours) ** 2;
  }
  return together / spread;
}

export interface Verdict {
  readonly isFlat: boolean;
  readonly lines: readonly string[];
}

/** The verdict on the samples after the warm-up. It depends on the heap and external memory; the rest is only shown. */
export function judge(samples: readonly Sample[], holdings: readonly Holding[], limit_mib: number): Verdict {
  const first = samples[0]!;
  const last = samples.at(-1)!;
  const row = (name: string, read: (sample: Sample) => number) => {
    const growth = mib(growthPerHour(samples, read));
    const from = mib(read(first)).toFixed(1).padStart(8);
    const to = mib(read(last)).toFixed(1).padStart(8);
    return `${name.padEnd(24)}${from}${to}${growth.toFixed(2).padStart(12)}`;
  };
  const held = (sample: Sample) => sample.heapUsed + sample.external;
  const growth_mib = mib(growthPerHour(samples, held));
  const isFlat = growth_mib <= limit_mib;
  const hours = last.hours - first.hours;
  const flow = [
    `${count((last.commands - first.commands) / hours)} commands`,
    `${count((last.trades - first.trades) / hours)} trades`,
    `${count((last.frames - first.frames) / hours)} stream messages`,
  ];
  const rows = [...last.rows]
    .map(([table, end]) => ({ table, grown: (end - (first.rows.get(table) ?? 0)) / hours }))
    .filter(({ grown }) => grown >= 1)
    .sort((a, b) => b.grown - a.grown)
    .map(({ table, grown }) => `${table} ${count(grown)}`);
  const lines = [
    `\nMiB${" ".repeat(25)}from      to   each hour`,
    row("heap, after collection", ({ heapUsed }) => heapUsed),
    row("external", ({ external }) => external),
    row("of it array buffers", ({ arrayBuffers }) => arrayBuffers),
    row("resident, all threads", ({ rss }) => rss),
    row("journal on disk", ({ journal_bytes }) => journal_bytes),
    `\nEach hour: ${flow.join(", ")}; since the start ${last.fundingRounds} rounds of funding.`,
    `Rows each hour: ${rows.join(", ")}.`,
    "\nHeld at the end, of what was allocated after the warm-up (KiB):",
    ...holdings.slice(0, SHOWN_HOLDINGS).map(({ where, bytes }) => `${count(bytes / 1024).padStart(8)}  ${where}`),
    `\n${isFlat ? "Flat" : "GROWING"}: heap and external grow by ${growth_mib.toFixed(2)} MiB an hour (${limit_mib} are allowed).`,
  ];
  return { isFlat, lines };
}
