import {
  type CancelScope,
  type Command,
  type Engine,
  FIRST_MARKETS,
  HALTED,
  type MarginMode,
  type MarketDefinition,
  NO_MARKET,
  REDUCE_ONLY,
  TRADING,
} from "@bourse/engine";
import { Prng } from "../../../engine/src/book/testing/prng.ts";
import { RandomOrders } from "./random-orders.ts";

/** A coin worth a fraction of a cent, whose fees and funding are a few micros, so that roundings show. */
const ODD_MARKET: MarketDefinition = {
  ...FIRST_MARKETS[2]!,
  symbol: "ODDUSDT",
  tickSize_e8: 100,
  lotSize_e8: 700_000_000,
  minNotional_micros: 1,
  maxOpenOrders: 6,
  maxConditionalOrders: 4,
};

export const STREAM_MARKETS: readonly MarketDefinition[] = [FIRST_MARKETS[0]!, FIRST_MARKETS[2]!, ODD_MARKET];
const FIRST_MARKS = [600_000, 15_000, 7_300];
const ACCOUNTS = 9;
/** Only these accounts are granted one, because accounts with a bonus are mostly frozen or expired in such a stream. */
const BONUS_ACCOUNTS = 3;
const START_ms = 20_605 * 86_400_000;
const DAY_ms = 86_400_000;

type Maker = readonly [weight: number, make: () => Command];

/**
 * Mostly valid commands from a seed: traders, some poor and some with a bonus, in three markets whose prices walk and
 * sometimes jump. It reads the engine that it feeds, so that orders match and cancels name existing orders.
 */
export class RandomStream {
  readonly #prng: Prng;
  readonly #engine: Engine;
  readonly #orders: RandomOrders;
  readonly #makers: readonly Maker[];
  readonly #weights: number;
  readonly #first: Command[] = [];
  #time_ms = START_ms;
  #number = 0;
  #hour = START_ms / 3_600_000;

  constructor(seed: number, engine: Engine) {
    this.#prng = new Prng(seed);
    this.#engine = engine;
    this.#orders = new RandomOrders(this.#prng, engine, ACCOUNTS);
    this.#makers = this.#listMakers();
    this.#weights = this.#makers.reduce((sum, [weight]) => sum + weight, 0);
    for (const definition of STREAM_MARKETS) this.#first.push({ kind: "add_market", time_ms: START_ms, definition });
    for (let account = 1; account <= ACCOUNTS; account += 1) {
      this.#first.push({ kind: "open_account", time_ms: START_ms, account });
      const money = [50, 300, 2_000, 20_000, 400_000][account % 5]!;
      this.#first.push(this.#outside({ kind: "deposit", account, amount_micros: money * 1_000_000 }));
    }
    FIRST_MARKS.forEach((ticks, market) => {
      this.#first.push({ kind: "set_price", time_ms: START_ms, market, indexTicks: ticks, markTicks: ticks });
    });
  }

  next(): Command {
    const first = this.#first.shift();
    if (first !== undefined) return first;
    const prng = this.#prng;
    this.#time_ms += prng.below(20_000);
    if (prng.below(400) === 0) this.#time_ms += prng.between(1, 8) * DAY_ms;
    let left = prng.below(this.#weights);
    for (const [weight, make] of this.#makers) {
      if (left < weight) return make();
      left -= weight;
    }
    throw new Error("no command was chosen");
  }

  #listMakers(): Maker[] {
    return [
      [420, () => this.#orders.order(this.#time_ms)],
      [60, () => this.#orders.conditional(this.#time_ms)],
      [60, () => this.#orders.cancel(this.#time_ms)],
      [60, () => this.#orders.modify(this.#time_ms)],
      [10, () => this.#cancelAll()],
      [140, () => this.#price()],
      [25, () => this.#leverage()],
      [20, () => this.#mode()],
      [20, () => this.#moveMargin()],
      [12, () => this.#funding()],
      [30, () => this.#money()],
      [30, () => this.#bonus()],
      [6, () => this.#fund()],
      [20, () => this.#status()],
      [9, () => this.#terms()],
    ];
  }

  #cancelAll(): Command {
    const market = this.#prng.isIn(50) ? NO_MARKET : this.#orders.market().number;
    const scope = this.#prng.pick<CancelScope>([1, 2, 3]);
    return { kind: "cancel_all", time_ms: this.#time_ms, account: this.#orders.account(), market, scope };
  }

  #price(): Command {
    const prng = this.#prng;
    const { number, markTicks } = this.#orders.market();
    const max = prng.isIn(85) ? 0.004 : prng.isIn(70) ? 0.08 : 0.4;
    const start = FIRST_MARKS[number]!;
    // Far from its start the price drifts back, so that a long stream does not end at one tick.
    const home = markTicks > start * 3 ? -0.3 : markTicks * 3 < start ? 0.3 : 0;
    const factor = 1 + ((prng.below(2_001) - 1_000) / 1_000 + home) * max;
    const ticks = Math.max(20, Math.round(markTicks * factor));
    return { kind: "set_price", time_ms: this.#time_ms, market: number, indexTicks: ticks, markTicks: ticks };
  }

  #leverage(): Command {
    const leverage = this.#prng.pick([1, 3, 10, 20, 20, 25, 50, 50, 51]);
    const market = this.#orders.market().number;
    return { kind: "set_leverage", time_ms: this.#time_ms, account: this.#orders.account(), market, leverage };
  }

  #mode(): Command {
    const mode = this.#prng.pick<MarginMode>([0, 1, 1]);
    return {
      kind: "set_margin_mode",
      time_ms: this.#time_ms,
      account: this.#orders.account(),
      market: this.#orders.market().number,
      mode,
    };
  }

  #moveMargin(): Command {
    const amount_micros = (this.#prng.below(4_001) - 2_000) * 100_003 || 1;
    const market = this.#orders.market().number;
    return {
      kind: "move_isolated_margin",
      time_ms: this.#time_ms,
      account: this.#orders.account(),
      market,
      amount_micros,
    };
  }

  #funding(): Command {
    const { number, definition } = this.#orders.market();
    this.#hour += 1;
    const rate_e8 = this.#prng.between(-definition.fundingCap_e8, definition.fundingCap_e8);
    return { kind: "apply_funding", time_ms: this.#time_ms, market: number, rate_e8, hour: this.#hour };
  }

  #money(): Command {
    const prng = this.#prng;
    const account = this.#orders.account();
    const { accounts } = this.#engine.state;
    const amount_micros = prng.between(1, 300_000_000);
    if (prng.isIn(45)) return this.#outside({ kind: "deposit", account, amount_micros });
    if (prng.isIn(50)) return this.#outside({ kind: "hold_withdrawal", account, amount_micros });
    const inFlight = accounts.inFlight(account);
    const part = inFlight === 0 ? amount_micros : prng.between(1, inFlight);
    return this.#outside({ kind: "settle_withdrawal", account, amount_micros: part, isDone: prng.isIn(70) });
  }

  #bonus(): Command {
    const prng = this.#prng;
    const account = prng.between(1, BONUS_ACCOUNTS);
    const amount_micros = prng.between(1, 500_000_000);
    const maxLeverage = prng.pick([2, 5, 10, 20]);
    const expires_ms = this.#time_ms + prng.between(1, 7) * DAY_ms;
    return prng.pick<() => Command>([
      () => this.#outside({ kind: "grant_bonus", account, amount_micros, maxLeverage, expires_ms }),
      () => this.#outside({ kind: "grant_bonus", account, amount_micros, maxLeverage, expires_ms }),
      () => this.#outside({ kind: "freeze_bonus", account }),
      () => this.#outside({ kind: "unfreeze_bonus", account }),
      () => this.#outside({ kind: "recall_bonus", account }),
      () => ({ kind: "expire_bonus", time_ms: this.#time_ms, account }),
      () => ({ kind: "close_expired_bonus", time_ms: this.#time_ms, account }),
    ])();
  }

  #fund(): Command {
    const prng = this.#prng;
    const fees = this.#engine.state.totals.feeAccount_micros;
    if (prng.isIn(50)) return this.#outside({ kind: "seed_fund", amount_micros: prng.between(1, 200_000_000) });
    const amount_micros = Math.max(1, Math.floor(fees / prng.between(1, 4)));
    return this.#outside({ kind: prng.isIn(60) ? "pay_out" : "return_payout", amount_micros });
  }

  #status(): Command {
    const { number, status } = this.#orders.market();
    const next = status === TRADING ? this.#prng.pick([TRADING, TRADING, TRADING, REDUCE_ONLY, HALTED]) : TRADING;
    return { kind: "set_market_status", time_ms: this.#time_ms, market: number, status: next };
  }

  #terms(): Command {
    const account = this.#orders.account();
    const dice = this.#prng.below(3);
    if (dice === 0) return this.#outside({ kind: "set_terms", account, version: this.#prng.below(9) });
    if (dice === 1) return this.#outside({ kind: "follow_terms", account, leader: this.#orders.account() });
    return this.#outside({ kind: "set_discount", account, discount_bps: this.#prng.pick([0, 333, 1_000, 10_000]) });
  }

  #outside(command: Unnumbered): Command {
    // One in twenty numbers is repeated, and its command ignored.
    if (this.#number === 0 || this.#prng.below(20) > 0) this.#number += 1;
    return { ...command, number: this.#number, time_ms: this.#time_ms } as Command;
  }
}

type Unnumbered =
  Extract<Command, { readonly number: number }> extends infer Each
    ? Each extends unknown
      ? Omit<Each, "number" | "time_ms">
      : never
    : never;
