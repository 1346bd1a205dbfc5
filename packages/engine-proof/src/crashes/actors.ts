import { BUY, SELL, type Side } from "@bourse/engine";
import type { Prng } from "../../../engine/src/book/testing/prng.ts";
import { type CrashWorld, START_TICKS } from "./world.ts";

const LEVELS = 3;
const MAKERS = 6;
const isMajor = (market: number) => market < 2;

/** Honest makers: quote around the index, further away and less the faster it moves, and some leave while it runs. */
export class Makers {
  readonly #world: CrashWorld;
  readonly #random: Prng;
  readonly accounts: readonly number[];
  /** What a maker shows on a side of a major, in USDT. */
  readonly #depth: number;
  readonly #before: number[] = [...START_TICKS];

  constructor(world: CrashWorld, random: Prng, depth: number) {
    this.#world = world;
    this.#random = random;
    this.#depth = depth;
    this.accounts = Array.from({ length: MAKERS }, () => world.open(3_000_000));
    for (const account of this.accounts) {
      for (const market of START_TICKS.keys()) world.leverage(account, market, 5);
    }
  }

  /** `share` of their usual size; 0 takes the quotes away. */
  quote(markets: readonly number[], share: number): void {
    for (const account of this.accounts) this.#world.cancelAll(account);
    for (const market of markets) {
      const index = this.#world.index(market);
      const speed = Math.abs(index - this.#before[market]!) / index;
      this.#before[market] = index;
      for (const account of this.accounts) {
        const hasLeft = speed > 0.002 && this.#random.isIn(40);
        if (share > 0 && !hasLeft) this.#quoteAround(account, market, index, speed, share);
      }
    }
  }

  #quoteAround(account: number, market: number, index: number, speed: number, share: number): void {
    const shown = (this.#depth * share * (isMajor(market) ? 1 : 0.2)) / LEVELS / (1 + speed * 100);
    if (shown < 1) return;
    const lots = this.#world.lots(market, shown);
    const { positions } = this.#world.engine.state;
    const held = positions.lots(positions.find(account, market));
    for (let level = 1; level <= LEVELS; level += 1) {
      const away = (isMajor(market) ? 0.0002 : 0.0006) * level + speed * 0.5 + this.#random.below(10) / 100_000;
      // Whoever holds a position leans against it: it is hedged elsewhere, and comes back by quotes.
      const lean = held > 0 ? -0.0001 : held < 0 ? 0.0001 : 0;
      const bid = Math.floor(index * (1 - away + lean));
      this.#world.quote(account, market, BUY, lots, bid);
      this.#world.quote(account, market, SELL, lots, Math.max(bid + 1, Math.ceil(index * (1 + away + lean))));
    }
  }
}

/** Takers with leverage, more long than short; a fifth of them isolated. Entered before the fall. */
export function enterTakers(
  world: CrashWorld,
  random: Prng,
  makers: Makers,
  markets: readonly number[],
  count: number,
) {
  for (let taker = 0; taker < count; taker += 1) {
    if (taker % 5 === 0) makers.quote(markets, 1);
    const market = random.pick(markets);
    const money = random.pick([200, 500, 1_000, 3_000]);
    const account = world.open(money);
    const leverage = random.pick(isMajor(market) ? [5, 10, 20, 50] : [3, 5, 10, 20]);
    world.leverage(account, market, leverage);
    if (random.isIn(20)) world.isolate(account, market);
    const side: Side = random.isIn(75) ? BUY : SELL;
    world.enter(account, market, side, world.lots(market, money * leverage * 0.8));
  }
}

/** Somebody who wants other people's money. Acts once a second, as the rules of the run let it. */
export interface Attacker {
  readonly accounts: readonly number[];
  act(): void;
}

/** Pairs of their own: one side goes bankrupt in the fund's hands, the other quotes for the fund as far away as it may go. */
export function fundFarmers(world: CrashWorld, market: number): Attacker {
  const pairs = Array.from({ length: 5 }, () => ({ loser: world.open(4_900), winner: world.open(6_000) }));
  for (const account of pairs.flatMap(({ loser, winner }) => [loser, winner])) world.leverage(account, market, 50);
  const { isFair, rules } = world.engine.state.markets[market]!;
  const opened = 0.049;
  const quoted = isFair ? (rules.unwindBound_e8 + rules.stressBound_e8) / 2e8 : opened;
  let isOpen = false;
  /** Longs far above the index that have nothing left at once, bought from their partners. */
  const open = () => {
    for (const { loser, winner } of pairs) {
      const ticks = Math.floor(world.index(market) * (1 + opened));
      const lots = world.lots(market, 5_800);
      for (let order = 0; order < 16; order += 1) world.quote(loser, market, BUY, lots, ticks);
      world.take(winner, market, SELL, lots * 16, ticks);
    }
  };
  return {
    accounts: pairs.flatMap(({ loser, winner }) => [loser, winner]),
    act() {
      if (!isOpen) open();
      isOpen = true;
      for (const { winner } of pairs) {
        world.cancelAll(winner);
        const { positions } = world.engine.state;
        const held = positions.lots(positions.find(winner, market));
        if (held < 0) world.quote(winner, market, BUY, -held, Math.ceil(world.index(market) * (1 - quoted)));
      }
    },
  };
}

/** Size on both sides as far below the index as counts, and a print there, to ruin others' longs and to buy them. */
export function markPushers(world: CrashWorld, market: number): Attacker {
  const [one, other] = [world.open(200_000), world.open(200_000)] as const;
  for (const account of [one, other]) world.leverage(account, market, 10);
  const { isFair, rules } = world.engine.state.markets[market]!;
  const away = isFair ? rules.markClamp_e8 / 1e8 : 0.139;
  return {
    accounts: [one, other],
    act() {
      world.cancelAll(one);
      world.cancelAll(other);
      const lots = world.lots(market, 15_000);
      const ticks = Math.ceil(world.index(market) * (1 - away));
      world.quote(one, market, SELL, 1, ticks);
      world.take(other, market, BUY, 1, ticks);
      world.quote(one, market, SELL, lots, ticks + 1);
      world.quote(other, market, BUY, lots, ticks - 1);
    },
  };
}

/** Trial money bought dear from and sold cheap to a clean wallet, as far from the mark as the rules let it. */
export function bonusMovers(world: CrashWorld, market: number): Attacker {
  const clean = world.open(20_000);
  world.leverage(clean, market, 10);
  const trials = Array.from({ length: 3 }, () => world.open(0));
  for (const trial of trials) world.grant(trial, 500);
  const { isFair, rules } = world.engine.state.markets[market]!;
  const away = isFair ? rules.fairBound_e8 / 1e8 : 0.14;
  return {
    accounts: [clean],
    act() {
      for (const trial of trials) {
        const { markTicks } = world.engine.state.markets[market]!;
        const [high, low] = [Math.floor(markTicks * (1 + away)), Math.ceil(markTicks * (1 - away))];
        const lots = world.lots(market, 1_500);
        world.quote(clean, market, SELL, lots, high);
        world.take(trial, market, BUY, lots, high);
        world.cancelAll(clean);
        // One lot stays: a bonus ends with its last position.
        world.quote(clean, market, BUY, lots, low);
        world.take(trial, market, SELL, lots - 1, low);
        world.cancelAll(clean);
      }
    },
  };
}
