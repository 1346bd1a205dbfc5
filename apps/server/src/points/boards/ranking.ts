import { setImmediate as nextTurn } from "node:timers/promises";

/** The ranking criteria of wallets, in the order of their addresses. */
export interface Scores {
  readonly points_micros: BigInt64Array;
  /** The same as floats, which compare faster; approximate beyond the safe range. */
  readonly about_micros: Float64Array;
  readonly last_ms: Float64Array;
}

/** The number of rows sorted or merged per turn: a few milliseconds during which the event loop is blocked. */
const RUN_rows = 8_192;
const MERGED_PER_TURN = 32_768;

/** PTS-4: the wallets' indexes by rank: more points, then the earlier last scoring time, then the lower address. */
export async function rankedOrder({ points_micros, about_micros, last_ms }: Scores): Promise<Uint32Array> {
  const count = points_micros.length;
  const byExactPoints = (a: number, b: number) =>
    about_micros[a]! <= Number.MAX_SAFE_INTEGER ? 0 : Number(points_micros[b]! - points_micros[a]!);
  const byRank = (a: number, b: number) =>
    about_micros[b]! - about_micros[a]! || byExactPoints(a, b) || last_ms[a]! - last_ms[b]! || a - b;
  let order = new Uint32Array(count);
  for (let start = 0; start < count; start += RUN_rows) {
    const run = order.subarray(start, start + RUN_rows);
    for (let at = 0; at < run.length; at += 1) run[at] = start + at;
    run.sort(byRank);
    await nextTurn();
  }
  let merged = new Uint32Array(count);
  for (let width = RUN_rows; width < count; width *= 2) {
    await mergeRuns(order, merged, width, byRank);
    [order, merged] = [merged, order];
  }
  return order;
}

/** Merges neighbouring sorted runs of `width` from one array into the other. */
async function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  width: number,
  compare: (a: number, b: number) => number,
): Promise<void> {
  const count = from.length;
  let sinceTurn = 0;
  for (let start = 0; start < count; start += 2 * width) {
    const middle = Math.min(start + width, count);
    const end = Math.min(start + 2 * width, count);
    let [left, right] = [start, middle];
    for (let at = start; at < end; at += 1) {
      const takesLeft = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0);
      to[at] = takesLeft ? from[left++]! : from[right++]!;
      sinceTurn += 1;
      if (sinceTurn >= MERGED_PER_TURN) {
        sinceTurn = 0;
        await nextTurn();
      }
    }
  }
}

/** The wallets' ranks, from 1, by index. */
export async function ranksOf(order: Uint32Array): Promise<Uint32Array> {
  const ranks = new Uint32Array(order.length);
  for (let start = 0; start < order.length; start += MERGED_PER_TURN) {
    const end = Math.min(start + MERGED_PER_TURN, order.length);
    for (let at = start; at < end; at += 1) ranks[order[at]!] = at + 1;
    await nextTurn();
  }
  return ranks;
}
