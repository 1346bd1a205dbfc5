import type { Clock } from "../../../kernel/clock.ts";
import type { Random } from "../../../kernel/random.ts";
import { hashText, noiseAt } from "./noise.ts";
import type { PriceSource, SourcePrice } from "./price-source.ts";

const SOURCES = 3;
/** How much a price moves in a second, as a part of itself: half a basis point, a calm market. */
const STEP = 0.000_05;
/** Every second it comes back by this part of its distance from home: it stays within about a quarter of a percent. */
const RETURN = 1 / 3_600;
/** After so long a pause it walks its last hour only: what was before would have been forgotten anyway. */
const MAX_WALK_S = 3_600;
/** It goes on from its last price unless that is so far from home that somebody has put it there. */
const FARTHEST_START = 0.05;
/** How far sources are apart, and for how long each keeps its distance. */
const SOURCE_STEP = 0.000_02;
const SOURCE_PERIOD_S = 15;

interface Walk {
  readonly seed: number;
  readonly home_e8: number;
  second: number;
  /** Where it is, as a part of home: 0 at home. */
  offset: number;
}

export interface SimulatedOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where a symbol's price is at home; undefined where nobody has said. */
  readonly home_e8: (symbol: string) => number | undefined;
  /** Where it was when the exchange last ran, so that a restart does not move the price. */
  readonly last_e8: (symbol: string) => number | undefined;
}

/**
 * Prices out of thin air: one walk per symbol, around its home, seen by three sources that differ a little. The walk is a
 * function of the seed and of the seconds that pass, so a simulation can be repeated. Parts of a price are floating-point
 * here because nothing is reckoned from them: what leaves is rounded, and is then a price like any other.
 */
export class SimulatedPrices {
  readonly sources: readonly PriceSource[];
  readonly #options: SimulatedOptions;
  readonly #seed: number;
  readonly #walks = new Map<string, Walk>();

  constructor(options: SimulatedOptions) {
    this.#options = options;
    this.#seed = options.random.bytes(4).readUInt32LE();
    this.sources = Array.from({ length: SOURCES }, (_, place) => this.#source(`simulated-${place + 1}`));
  }

  /** The home of a symbol has changed: it begins anew from there. */
  forget(symbol: string): void {
    this.#walks.delete(symbol);
  }

  #source(name: string): PriceSource {
    const seed = (this.#seed ^ hashText(name)) >>> 0;
    return {
      name,
      latest: (symbol) => this.#latest(symbol, seed),
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    };
  }

  #latest(symbol: string, sourceSeed: number): SourcePrice | undefined {
    const time_ms = this.#options.clock.now();
    const second = Math.floor(time_ms / 1_000);
    const walk = this.#walkOf(symbol, second);
    if (walk === undefined) return undefined;
    this.#walkTo(walk, second);
    const own = SOURCE_STEP * noiseAt(sourceSeed ^ walk.seed, Math.floor(second / SOURCE_PERIOD_S));
    const price_e8 = Math.round(walk.home_e8 * (1 + walk.offset) * (1 + own));
    return { price_e8: Math.max(1, price_e8), time_ms };
  }

  #walkOf(symbol: string, second: number): Walk | undefined {
    const known = this.#walks.get(symbol);
    if (known !== undefined) return known;
    const last_e8 = this.#options.last_e8(symbol);
    const home_e8 = this.#options.home_e8(symbol) ?? last_e8;
    if (home_e8 === undefined) return undefined;
    const distance = last_e8 === undefined ? 0 : last_e8 / home_e8 - 1;
    const offset = Math.abs(distance) > FARTHEST_START ? 0 : distance;
    const walk = { seed: (this.#seed ^ hashText(symbol)) >>> 0, home_e8, second, offset };
    this.#walks.set(symbol, walk);
    return walk;
  }

  #walkTo(walk: Walk, second: number): void {
    if (second - walk.second > MAX_WALK_S) {
      // As if it had come home by then.
      walk.second = second - MAX_WALK_S;
      walk.offset = 0;
    }
    while (walk.second < second) {
      walk.second += 1;
      walk.offset += STEP * noiseAt(walk.seed, walk.second) - RETURN * walk.offset;
    }
  }
}
