import {
  type AttachedTrigger,
  BUY,
  type CancelScope,
  type Command,
  type ConditionalType,
  type Engine,
  IOC,
  LIMIT,
  MARKET,
  SELL,
  type SelfTradePrevention,
  type Side,
  type TimeInForce,
  TRAILING_STOP,
  type WorkingType,
} from "@bourse/engine";
import type { Prng } from "../../../engine/src/book/testing/prng.ts";

/** The part of a random stream that places, cancels and modifies orders. */
export class RandomOrders {
  readonly #prng: Prng;
  readonly #engine: Engine;
  readonly #accounts: number;
  #names = 0;

  constructor(prng: Prng, engine: Engine, accounts: number) {
    this.#prng = prng;
    this.#engine = engine;
    this.#accounts = accounts;
  }

  account(): number {
    return this.#prng.between(1, this.#accounts);
  }

  market() {
    return this.#prng.pick(this.#engine.state.markets);
  }

  /** Mostly near the mark price, sometimes beyond the band. */
  #ticks(markTicks: number): number {
    const spread = this.#prng.pick([0.001, 0.001, 0.001, 0.004, 0.01, 0.18]);
    const distance = (this.#prng.below(2_001) - 1_000) / 1_000;
    return Math.min(2 ** 24 - 1, Math.max(1, Math.round(markTicks * (1 + distance * spread))));
  }

  /** Up to slightly more than the account can carry. */
  #lots(account: number, markTicks: number, unit_micros: number): number {
    const { margin } = this.#engine;
    margin.compute(account);
    const max = Math.max(1, margin.balance_micros * this.#prng.pick([0.5, 2, 5, 10, 30]));
    return Math.max(1, Math.floor((max * this.#prng.between(1, 100)) / 100 / (markTicks * unit_micros)));
  }

  order(time_ms: number): Command {
    const prng = this.#prng;
    const account = this.account();
    const { number, markTicks, definition } = this.market();
    const side = prng.pick<Side>([BUY, SELL]);
    const isMarket = prng.isIn(20);
    const isReduceOnly = prng.isIn(15);
    const isQuote = prng.isIn(5);
    const lots = this.#lots(account, markTicks, definition.unit_micros);
    const hasAttached = !isReduceOnly && prng.isIn(12);
    return {
      kind: "place_order",
      time_ms: time_ms,
      account,
      market: number,
      side,
      type: isMarket ? MARKET : LIMIT,
      timeInForce: isMarket ? IOC : prng.pick<TimeInForce>([0, 0, 0, 0, 0, 1, 2, 3]),
      ticks: isMarket ? 0 : this.#ticks(markTicks),
      lots: isQuote ? 0 : lots,
      quote_micros: isQuote ? lots * markTicks * definition.unit_micros : 0,
      isReduceOnly,
      selfTradePrevention: prng.pick<SelfTradePrevention>([0, 0, 0, 1, 2, 3, 3]),
      clientId: this.#clientId(),
      maxSlippage_e8: isMarket && prng.isIn(20) ? prng.below(2_000_000) : -1,
      takeProfit: hasAttached && prng.isIn(80) ? this.#attached(markTicks, side === BUY ? 1 : -1) : null,
      stopLoss: hasAttached && prng.isIn(80) ? this.#attached(markTicks, side === BUY ? -1 : 1) : null,
    };
  }

  #attached(markTicks: number, direction: number): AttachedTrigger {
    const prng = this.#prng;
    const triggerTicks = Math.max(1, Math.round(markTicks * (1 + (direction * prng.between(1, 30)) / 1_000)));
    return { triggerTicks, ticks: prng.isIn(30) ? triggerTicks : 0, workingType: prng.pick<WorkingType>([0, 1]) };
  }

  conditional(time_ms: number): Command {
    const prng = this.#prng;
    const account = this.account();
    const { number, markTicks, definition } = this.market();
    const type = prng.pick<ConditionalType>([0, 0, 1, 1, 2]);
    const isTrailing = type === TRAILING_STOP;
    const isClosePosition = prng.isIn(15);
    const near = this.#ticks(markTicks);
    return {
      kind: "place_conditional",
      time_ms: time_ms,
      account,
      market: number,
      side: prng.pick<Side>([BUY, SELL]),
      type,
      ticks: isTrailing || isClosePosition || prng.isIn(60) ? 0 : near,
      timeInForce: prng.pick<TimeInForce>([0, 0, 1, 2, 3]),
      lots: isClosePosition ? 0 : this.#lots(account, markTicks, definition.unit_micros),
      triggerTicks: isTrailing ? 0 : this.#ticks(markTicks),
      activateTicks: isTrailing && prng.isIn(50) ? near : 0,
      callback_bps: isTrailing ? prng.between(10, 300) : 0,
      workingType: prng.pick<WorkingType>([0, 1]),
      isReduceOnly: !isClosePosition && prng.isIn(30),
      isClosePosition,
      isPriceProtected: prng.isIn(20),
      keepsId: prng.isIn(30),
      selfTradePrevention: prng.pick<SelfTradePrevention>([0, 1, 2, 3]),
      clientId: this.#clientId(),
    };
  }

  #clientId(): string {
    if (!this.#prng.isIn(30)) return "";
    this.#names += 1;
    return `n${this.#prng.isIn(85) ? this.#names : this.#prng.between(1, this.#names)}`;
  }

  /** An open order or conditional order of any account, or a nearby id. */
  #anyOrder(): { account: number; order: number; markTicks: number; lots: number } {
    const { pool, index, lastOrderId, conditionals, markets } = this.#engine.state;
    for (let i = 0; i < 12; i += 1) {
      const order = this.#prng.between(Math.max(1, lastOrderId - 150), Math.max(1, lastOrderId));
      const conditional = conditionals.get(order);
      if (conditional !== undefined) return { account: conditional.account, order, markTicks: 1, lots: 1 };
      const slot = index.get(order);
      if (slot === 0) continue;
      const { markTicks } = markets[pool.market(slot)]!;
      return { account: pool.account(slot), order, markTicks, lots: pool.originalLots(slot) };
    }
    return { account: this.account(), order: this.#prng.below(lastOrderId + 5), markTicks: 1, lots: 1 };
  }

  cancel(time_ms: number): Command {
    const { account, order } = this.#anyOrder();
    const byName = this.#prng.isIn(15);
    return {
      kind: "cancel_order",
      time_ms: time_ms,
      account: this.#prng.isIn(95) ? account : this.account(),
      order: byName ? 0 : order,
      clientId: byName ? `n${this.#prng.between(Math.max(0, this.#names - 40), this.#names)}` : "",
      scope: this.#prng.pick<CancelScope>([1, 2, 3, 3, 3]),
    };
  }

  modify(time_ms: number): Command {
    const { account, order, markTicks, lots } = this.#anyOrder();
    const prng = this.#prng;
    return {
      kind: "modify_order",
      time_ms: time_ms,
      account,
      order,
      clientId: "",
      side: prng.pick<Side | -1>([-1, -1, -1, BUY, SELL]),
      ticks: this.#ticks(markTicks),
      lots: Math.max(1, Math.floor((lots * prng.between(20, 180)) / 100)),
    };
  }
}
