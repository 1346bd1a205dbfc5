import { floorDiv, max, min } from "./arithmetic.ts";
import type { OracleMarket, World } from "./state.ts";

/** FUT-21: how far the index has run in a minute, and how far from it the fund may trade. */
export function runOf(world: World, market: OracleMarket): { readonly run: bigint; readonly reach: bigint } {
  const now_s = Math.floor(world.time_ms / 1000);
  const seen = market.indexes.filter(({ second }) => second > now_s - 60).map(({ ticks }) => ticks);
  const range = seen.length === 0 ? 0n : max(...seen) - min(...seen);
  const run = floorDiv(range * 100_000_000n, market.index);
  return { run, reach: min(market.rules.stressBound_e8, market.rules.unwindBound_e8 + run / 2n) };
}
