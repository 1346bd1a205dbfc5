import { type LoadResult, load } from "./load.ts";
import { median } from "./table.ts";

/**
 * Many short rounds in pairs: if the machine slows down for a second, it slows down both of a pair, and the ratio
 * stays.
 */
const REQUESTS_PER_ROUND = 4_000;
const PACE = { warmUpRounds: 20, rounds: 31 };
const REQUESTS_MADE_BEFOREHAND = 64;

/** One round of load. The requests are made and signed before, so that signing is not measured. */
export function loadRound(
  port: number,
  connections: number,
  makeRequest: (timestamp: number, place: number) => string,
): Promise<LoadResult> {
  const now = Date.now();
  const requests = Array.from({ length: REQUESTS_MADE_BEFOREHAND }, (_, place) => makeRequest(now + place, place));
  let next = 0;
  return load(port, connections, REQUESTS_PER_ROUND, () => requests[next++ % requests.length]!);
}

export interface Compared {
  readonly perSecond: number;
  readonly baselinePerSecond: number;
  readonly p99_ms: number;
  readonly ratio: number;
}

/** Warms both up, then runs them in turn. The ratio is the median of the pairs' ratios. */
export async function compareInPairs(
  ours: () => Promise<LoadResult>,
  baseline: () => Promise<LoadResult>,
  { warmUpRounds, rounds } = PACE,
): Promise<Compared> {
  for (const run of [ours, baseline]) {
    for (let i = 0; i < warmUpRounds; i++) await run();
  }
  const pairs: { ours: LoadResult; baseline: LoadResult }[] = [];
  for (let i = 0; i < rounds; i++) pairs.push({ ours: await ours(), baseline: await baseline() });
  return {
    perSecond: median(pairs.map((pair) => pair.ours.perSecond)),
    baselinePerSecond: median(pairs.map((pair) => pair.baseline.perSecond)),
    p99_ms: median(pairs.map((pair) => pair.ours.p99_ms)),
    ratio: median(pairs.map((pair) => pair.ours.perSecond / pair.baseline.perSecond)),
  };
}
