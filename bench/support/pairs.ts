import { type LoadResult, load, loadOver, type RunConnection } from "./load.ts";
import { median } from "./table.ts";

/**
 * Many short rounds in pairs: if the machine slows down for a second, it slows down both of a pair, and the ratio
 * stays.
 */
const REQUESTS_PER_ROUND = 4_000;
const PACE = { warmUpRounds: 20, rounds: 31 };
const REQUESTS_MADE_BEFOREHAND = 64;

type MakeRequest = (timestamp: number, place: number) => string;

/** The requests are made and signed before a round, so that signing is not measured. */
function requestsOf(makeRequest: MakeRequest): () => string {
  const now = Date.now();
  const requests = Array.from({ length: REQUESTS_MADE_BEFOREHAND }, (_, place) => makeRequest(now + place, place));
  let next = 0;
  return () => requests[next++ % requests.length]!;
}

/** One round of load. */
export const loadRound = (port: number, connections: number, makeRequest: MakeRequest): Promise<LoadResult> =>
  load(port, connections, REQUESTS_PER_ROUND, requestsOf(makeRequest));

/** The same over connections of any kind. */
export const loadRoundOver = (run: RunConnection, connections: number, makeRequest: MakeRequest): Promise<LoadResult> =>
  loadOver(run, connections, REQUESTS_PER_ROUND, requestsOf(makeRequest));

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
