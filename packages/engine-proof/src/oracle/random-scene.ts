import type { Prng } from "../../../engine/src/book/testing/prng.ts";
import { sumsOf } from "./margin.ts";
import { FUND, type World } from "./state.ts";

export const HOUR_ms = 3_600_000;
export const DAY_ms = 24 * HOUR_ms;
export const USDT = 1e6;

/** What the generators of single commands use. */
export interface Scene {
  readonly random: Prng;
  readonly world: World;
  readonly accounts: number;
  readonly time_ms: number;
  /** The rules version that commands raise the rules to at most. */
  readonly newestRules: number;
  /** The price around which a market is traded. */
  baseTicks(market: number): number;
}

export function anyAccount({ random, accounts }: Scene): number {
  return random.between(1, Math.max(1, accounts));
}

export function anyMarket({ random, world }: Scene): number {
  return random.below(Math.max(1, world.markets.length));
}

/** Nearly always a new number; otherwise one that was used. */
export function numberOf({ random, world }: Scene): number {
  if (random.isIn(3)) return Math.max(1, world.lastNumber - random.below(3));
  return world.lastNumber + (random.isIn(5) ? random.between(2, 5) : 1);
}

/** What an account can still open. */
export function available(world: World, account: number): number {
  return account === FUND ? 0 : Number(sumsOf(world, account).available);
}
