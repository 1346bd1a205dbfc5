import type { FloodReport } from "./fleet-protocol.ts";
import { type Health, serverCores } from "./health.ts";
import { Histogram } from "./histogram.ts";
import { KINDS, type Tally } from "./tally.ts";
import { cores, count, mib, ms } from "./words.ts";

/** What was measured, and the figure. */
export type Figure = readonly [what: string, figure: string];

export const ORDERS_PER_BATCH = 5;

export interface Held {
  readonly rate: number;
  readonly seconds: number;
  readonly tally: Tally;
  readonly healths: readonly Health[];
  readonly loopDelays: Histogram;
}

export function heldFigures({ rate, seconds, tally, healths, loopDelays }: Held): Figure[] {
  const [first, last] = [healths[0]!, healths.at(-1)!];
  const max = (read: (health: Health) => number) => Math.max(...healths.map(read));
  const memory = (read: (health: Health) => number) => [read(first), max(read), read(last)].map(mib).join(", ");
  const kinds = KINDS.flatMap((kind): Figure[] => {
    const histogram = tally.latencies(kind);
    return histogram.count === 0 ? [] : [[`  ${kind} (${count(histogram.count)})`, quantiles(histogram)]];
  });
  return [
    ["offered, for", `${count(rate)} requests/s, ${count(seconds)} s`],
    ["answered", `${count(tally.requests / seconds)} requests/s`],
    ["orders placed", `${count(tally.orders / seconds)} orders/s, ${count(tally.orders)} in all`],
    ["trades", `${count((last.trades - first.trades) / seconds)}/s, ${count(last.openOrders)} orders rest at the end`],
    ["all, from the intended moment", quantiles(tally.latencies())],
    ...kinds,
    ["refusals", refusalWords(tally)],
    ["resident: start, most, end", memory((health) => health.resident_bytes)],
    ["heap in use: start, most, end", memory((health) => health.heap_bytes)],
    ["event loop's delay, p99: median, max", `${ms(loopDelays.quantile_ms(0.5))}, ${ms(loopDelays.max_ms)}`],
    [
      "tables behind: most, end",
      `${count(max((health) => health.lag_commands))}, ${count(last.lag_commands)} commands`,
    ],
    ["cores: server, fleet", `${cores(serverCores(first, last))}, ${cores(tally.fleetCores)}`],
    ["fleet late by, p99", ms(tally.lateness.quantile_ms(0.99))],
  ];
}

export interface Overload {
  readonly limit: number;
  readonly isLowered: boolean;
  readonly connections: number;
  readonly maxWaiting: number;
  readonly drained_s: number;
  readonly before: Health;
  readonly after: Health;
  readonly flood: FloodReport;
  readonly tally: Tally;
}

export function overloadFigures(overload: Overload): Figure[] {
  const { limit, isLowered, connections, maxWaiting, drained_s, before, after, flood, tally } = overload;
  const seconds = (after.at_ms - before.at_ms) / 1_000;
  const beside = (["rest", "cancel", "reduce"] as const).map((kind): Figure => {
    const histogram = tally.latencies(kind);
    const refused = count(tally.outcome(kind, "-1008"));
    return [`  ${kind} beside it (${count(histogram.count)})`, `${refused} × -1008, ${quantiles(histogram)}`];
  });
  return [
    ["MAX_COMMANDS_WAITING", `${count(limit)}${isLowered ? ", lowered for this run" : " (the default)"}`],
    [
      "in flight",
      `${count(connections)} connections × ${ORDERS_PER_BATCH} orders; at most ${count(maxWaiting)} seen waiting`,
    ],
    [
      "orders of the flood accepted",
      `${count(flood.accepted / seconds)}/s, ${quantiles(Histogram.of(flood.latencies))}`,
    ],
    ["orders of the flood refused", codesWords(flood.refusals) || "none"],
    ["-1008 by the server's count", count(after.overloaded - before.overloaded)],
    ...beside,
    ["last answer after the last request", `${drained_s.toFixed(1)} s`],
  ];
}

function quantiles(histogram: Histogram): string {
  const at = (share: number) => ms(histogram.quantile_ms(share));
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, max ${ms(histogram.max_ms)}`;
}

const codesWords = (codes: Readonly<Record<string, number>>): string =>
  Object.entries(codes)
    .map(([code, times]) => `${count(times)} × ${code}`)
    .join(", ");

export const refusalWords = (tally: Tally): string => codesWords(Object.fromEntries(tally.refusals())) || "none";

export const healthWords = (health: Health): string =>
  `${mib(health.resident_bytes)} resident, heap ${mib(health.heap_bytes)}, ` +
  `${count(health.commandsWaiting)} waiting, tables ${count(health.lag_commands)} commands behind`;
