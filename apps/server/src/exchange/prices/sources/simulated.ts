import type { Clock } from "../../../kernel/clock.ts";
import type { Random } from "../../../kernel/random.ts";
import { hashText, noiseAt } from "./noise.ts";
import type { PriceSource, SourcePrice } from "./price-source.ts";

const SOURCES = 3;
/** The standard deviation of a price's change per second, relative to the price: half a basis point, a calm market. */
const STEP = 0.000_05;
/** Every second the price returns by this part of its distance from home, so that it stays within about 0.25 %. */
const RETURN = 1 / 3_600;
/** After a longer pause only the last hour is simulated; earlier moves would have decayed. */
const MAX_WALK_S = 3_600;
/**
 * The walk continues from the last price unless that is further from home than this, for example because it was pinned.
 */
const FARTHEST_START = 0.05;
/** The deviation of each source, and how long it keeps it. */
const SOURCE_STEP = 0.000_02;
const SOURCE_PERIOD_S = 15;

interface Walk {
  readonly seed: number;
  readonly home_e8: number;
  second: number;
  /** The distance from home, relative to home. */
  offset: number;
}

export interface SimulatedOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The price around which a symbol moves; undefined if none is set. */
  readonly home_e8: (symbol: string) => number | undefined;
  /** The last price before a restart, so that a restart does not move the price. */
  readonly last_e8: (symbol: string) => number | undefined;
}

/**
 * Simulated prices: one random walk per symbol around its home, with three sources that deviate slightly. The walk is a
 * function of the seed and the elapsed seconds, so a simulation can be repeated. It uses floating-point numbers,
 * because no money is computed from them; the resulting prices are rounded.
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

  /** Restarts the walk of a symbol whose home has changed. */
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
      // The price is assumed to have returned home by then.
      walk.second = second - MAX_WALK_S;
      walk.offset = 0;
    }
    while (walk.second < second) {
      walk.second += 1;
      walk.offset += STEP * noiseAt(walk.seed, walk.second) - RETURN * walk.offset;
    }
  }
}
