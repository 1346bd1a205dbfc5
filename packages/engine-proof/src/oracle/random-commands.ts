import { type Command, NEWEST_RULES } from "@bourse/engine";
import { Prng } from "../../../engine/src/book/testing/prng.ts";
import type { NaiveEngine } from "./model.ts";
import { malform } from "./random-malformed.ts";
import { CUSTOM, MAJOR, OTHER, type RandomMarket } from "./random-markets.ts";
import * as money from "./random-money.ts";
import * as orders from "./random-orders.ts";
import { DAY_ms, HOUR_ms, type Scene, USDT } from "./random-scene.ts";
import * as settings from "./random-settings.ts";
import type { World } from "./state.ts";

export interface RandomOptions {
  /** 4 … 12 by default. */
  readonly accounts?: number;
  readonly malformedPercent?: number;
  readonly newestRules?: number;
}

const START_ms = 1_790_000_000_000;

type Maker = (scene: Scene) => Command;

/** The weight of each kind. */
const MAKERS: readonly (readonly [weight: number, make: Maker])[] = [
  [560, orders.randomOrder],
  [60, orders.randomConditional],
  [45, orders.randomModify],
  [40, orders.cancelOne],
  [5, orders.cancelMany],
  [150, settings.movePrice],
  [30, settings.changeLeverage],
  [20, settings.changeMode],
  [14, settings.moveMargin],
  [16, settings.payFunding],
  [24, money.payDeposit],
  [7, money.withdraw],
  [7, money.settleHeld],
  [9, money.grantBonus],
  [3, money.freezeBonus],
  [5, money.unfreezeBonus],
  [5, money.recallBonus],
  [6, money.expireBonus],
  [7, money.closeExpiredBonus],
  [3, money.setTerms],
  [5, money.followTerms],
  [3, money.setDiscount],
  [4, money.seedFund],
  [3, money.payOut],
  [2, money.returnPayout],
  [12, settings.changeStatus],
  [3, settings.changeRules],
  [4, advanceTime],
  [2, money.openAnother],
  [2, money.commitWallet],
  [2, money.note],
  [1, money.raiseRules],
  [2, settings.addAnother],
];
const ALL_WEIGHTS = MAKERS.reduce((sum, [weight]) => sum + weight, 0);

/** Repeatable commands that read the naive model to reach trades, liquidations and refusals. */
export class RandomCommands {
  readonly #random: Prng;
  readonly #accounts: number;
  readonly #malformedPercent: number;
  readonly #newestRules: number;
  readonly #markets: RandomMarket[];
  readonly #start: Command[];

  constructor(seed: number, options: RandomOptions = {}) {
    this.#random = new Prng(seed);
    this.#accounts = options.accounts ?? this.#random.between(4, 12);
    this.#malformedPercent = options.malformedPercent ?? 5;
    this.#newestRules = options.newestRules ?? NEWEST_RULES;
    this.#markets = [MAJOR, OTHER, this.#random.pick(CUSTOM)];
    this.#start = this.#setUp();
  }

  next(model: NaiveEngine): Command {
    const first = this.#start.shift();
    if (first !== undefined) return first;
    const scene = this.#look(model.world);
    const command = money.stamped(this.#draw()(scene), scene);
    return this.#random.isIn(this.#malformedPercent) ? malform(command, this.#random) : command;
  }

  #draw(): Maker {
    let left = this.#random.below(ALL_WEIGHTS);
    for (const [weight, make] of MAKERS) {
      if (left < weight) return make;
      left -= weight;
    }
    return advanceTime;
  }

  #look(world: World): Scene {
    const baseTicks = (market: number): number => this.#markets[market]?.baseTicks ?? 1_000;
    const time_ms = this.#time(world.time_ms);
    const accounts = world.accounts.length - 1;
    return { random: this.#random, world, accounts, time_ms, newestRules: this.#newestRules, baseTicks };
  }

  /** Mostly seconds, sometimes hours, occasionally past midnights and the ends of bonuses, rarely back. */
  #time(now_ms: number): number {
    const random = this.#random;
    const drawn = random.below(10_000);
    if (drawn < 50) return Math.max(0, now_ms - random.below(DAY_ms));
    if (drawn < 150) return now_ms + random.below(12 * HOUR_ms);
    if (drawn < 210) return now_ms + random.between(1, 3) * DAY_ms;
    if (drawn < 216) return now_ms + random.pick([7, 8, 14, 15]) * DAY_ms;
    if (drawn < 217) return now_ms + random.pick([31, 62, 63, 100]) * DAY_ms;
    return now_ms + random.below(3_000);
  }

  #setUp(): Command[] {
    const random = this.#random;
    const time_ms = START_ms + random.below(DAY_ms);
    let number = 0;
    const next = (): number => {
      number += 1;
      return number;
    };
    const commands: Command[] = [];
    this.#markets.forEach(({ definition, baseTicks }, market) => {
      commands.push({ kind: "add_market", time_ms, definition });
      commands.push({ kind: "set_price", time_ms, market, indexTicks: baseTicks, markTicks: baseTicks });
    });
    for (let account = 1; account <= this.#accounts; account += 1) {
      commands.push({ kind: "open_account", time_ms, account });
      const amount_micros = startingMoney(random, account);
      commands.push({ kind: "deposit", time_ms, account, number: next(), amount_micros });
      const market = random.below(3);
      const leverage = random.pick([10, 20, 33, 40, 50]);
      commands.push({ kind: "set_leverage", time_ms, account, market, leverage });
      if (random.isIn(40)) commands.push({ kind: "set_margin_mode", time_ms, account, market, mode: 1 });
    }
    if (random.isIn(50)) {
      const amount_micros = random.pick([1, 500, 20_000, 100_000]) * USDT;
      commands.push({ kind: "seed_fund", time_ms, number: next(), amount_micros });
    }
    return commands;
  }
}

/** The first two are rich, most of the others poor. */
function startingMoney(random: Prng, account: number): number {
  if (account === 1) return random.pick([2e6, 2e7, 9e8]) * USDT;
  if (account === 2) return random.pick([5e4, 2e6, 9e8]) * USDT;
  return random.between(20 * USDT, random.pick([200, 2_000, 20_000]) * USDT);
}

function advanceTime({ time_ms }: Scene): Command {
  return { kind: "advance_time", time_ms };
}
