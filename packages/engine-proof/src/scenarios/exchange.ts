import assert from "node:assert/strict";
import {
  auditEngine,
  BONUS_STATES,
  BUY,
  type Command,
  CROSS,
  Engine,
  FIRST_MARKETS,
  FUND_ACCOUNT,
  HALTED,
  ISOLATED,
  type MarketDefinition,
  type MarketRules,
  NEWEST_RULES,
  NO_MARKET,
  type PlaceConditional,
  type PriceMatch,
  REDUCE_ONLY,
  RULES_WITH_FAIR_MARKETS,
  SCOPE_BOTH,
  SELL,
  type Side,
  STOP,
  State,
  TAKE_PROFIT,
  TRADING,
  TRAILING_STOP,
} from "@bourse/engine";
import { EventLedger } from "../../../engine/src/checks/event-ledger.ts";
import { Answer } from "./answer.ts";
import {
  type ConditionalOptions,
  conditionalOf,
  lotsOf,
  type OrderOptions,
  orderOf,
  ticksOf,
  usdt,
} from "./options.ts";

export { usdt };

const STATUSES = { trading: TRADING, reduce_only: REDUCE_ONLY, halted: HALTED } as const;
const HOUR_ms = 3_600_000;
export const DAY_ms = 24 * HOUR_ms;
/** 2026-06-01 00:00 UTC. */
export const START_ms = 20_605 * DAY_ms;

/**
 * An engine in the words of the rules: traders by name, prices and quantities in USDT and coins (of BTCUSDT by
 * default), money in USDT. After every command everything is audited: no test may lose money, and the events must
 * report all of it.
 */
export class TestExchange {
  readonly engine: Engine;
  readonly #ledger = new EventLedger();
  readonly #names = new Map<string, number>();
  #number = 0;
  #hour = START_ms / HOUR_ms;
  time_ms = START_ms;

  constructor(markets: readonly MarketDefinition[] = FIRST_MARKETS, rulesVersion: number = NEWEST_RULES) {
    this.engine = new Engine(new State(rulesVersion));
    for (const definition of markets) this.apply({ kind: "add_market", time_ms: this.time_ms, definition });
  }

  /** Applies any command and audits the result. */
  apply(command: Command): Answer {
    this.engine.apply(command);
    const events = this.engine.events.decode();
    this.#ledger.hear(events);
    const { problems, belowZero } = auditEngine(this.engine);
    assert.deepEqual([...problems, ...this.#ledger.compare(this.engine)], []);
    assert.deepEqual(this.#ledger.unexplained(belowZero), []);
    return new Answer(events);
  }

  /** Accounts. */

  trader(name: string, money = 0, leverage = 0): number {
    const account = this.engine.state.accounts.count + 1;
    this.#names.set(name, account);
    this.apply({ kind: "open_account", time_ms: this.time_ms, account });
    if (money > 0) this.deposit(name, money);
    if (leverage > 0) this.leverage(name, leverage);
    return account;
  }

  number(name: string): number {
    if (name === "fund") return FUND_ACCOUNT;
    return this.#names.get(name)!;
  }

  /** What an account has, in micros; margin sums at the mark. */
  account(name: string) {
    const { accounts } = this.engine.state;
    const account = this.number(name);
    const margin = this.engine.margin;
    margin.computeAll(account);
    return {
      principal: accounts.principal(account),
      bonus: accounts.bonus(account),
      locked: accounts.locked(account),
      consumed: accounts.consumed(account),
      inFlight: accounts.inFlight(account),
      state: BONUS_STATES[accounts.bonusState(account)]!,
      tier: accounts.tier(account),
      balance: margin.balance_micros,
      unrealised: margin.unrealised_micros,
      initial: margin.initial_micros,
      maintenance: margin.maintenance_micros,
      available: margin.available_micros,
      withdrawable: margin.withdrawable(account),
    };
  }

  position(name: string, symbol = "BTCUSDT") {
    const { positions } = this.engine.state;
    const at = positions.find(this.number(name), this.#market(symbol).number);
    return {
      lots: positions.lots(at),
      cost: positions.cost(at),
      isolated: positions.isolated(at),
      leverage: positions.leverage(at),
      orders: positions.orders(at),
      conditionals: positions.conditionals(at),
    };
  }

  /** Resting orders of a side, best first, as [price in ticks, lots left, id]. */
  book(side: "bids" | "asks", symbol = "BTCUSDT"): [number, number, number][] {
    const { pool } = this.engine.state;
    const { book } = this.#market(symbol);
    const rows: [number, number, number][] = [];
    book.forEachResting((slot) => {
      if (pool.side(slot) !== (side === "bids" ? BUY : SELL)) return;
      rows.push([pool.ticks(slot), pool.remainingLots(slot), pool.id(slot)]);
    });
    return rows;
  }

  /** Orders. */

  buy(name: string, quantity: number, options: OrderOptions = {}): Answer {
    return this.#place(name, BUY, quantity, options);
  }

  sell(name: string, quantity: number, options: OrderOptions = {}): Answer {
    return this.#place(name, SELL, quantity, options);
  }

  stop(name: string, side: "buy" | "sell", quantity: number, options: ConditionalOptions): Answer {
    return this.#placeConditional(name, STOP, side, quantity, options);
  }

  takeProfit(name: string, side: "buy" | "sell", quantity: number, options: ConditionalOptions): Answer {
    return this.#placeConditional(name, TAKE_PROFIT, side, quantity, options);
  }

  trailing(name: string, side: "buy" | "sell", quantity: number, options: ConditionalOptions): Answer {
    return this.#placeConditional(name, TRAILING_STOP, side, quantity, options);
  }

  cancel(name: string, order: number | string, scope: 1 | 2 | 3 = SCOPE_BOTH): Answer {
    const [id, clientId] = typeof order === "number" ? [order, ""] : [0, order];
    return this.#of(name, { kind: "cancel_order", order: id, clientId, scope });
  }

  cancelAll(name: string, symbol = "", scope: 1 | 2 | 3 = SCOPE_BOTH): Answer {
    const market = symbol === "" ? NO_MARKET : this.#market(symbol).number;
    return this.#of(name, { kind: "cancel_all", market, scope });
  }

  modify(name: string, order: number | string, quantity: number, at: number, side: Side | -1 = -1): Answer {
    const [id, clientId] = typeof order === "number" ? [order, ""] : [0, order];
    const { definition } = this.#market("BTCUSDT");
    const size = { ticks: ticksOf(definition, at), lots: lotsOf(definition, quantity) };
    return this.#of(name, { kind: "modify_order", order: id, clientId, side, ...size });
  }

  /** To a price from the book. */
  modifyTo(name: string, order: number, quantity: number, priceMatch: PriceMatch): Answer {
    const lots = lotsOf(this.#market("BTCUSDT").definition, quantity);
    return this.#of(name, { kind: "modify_order", order, clientId: "", side: -1, ticks: 0, lots, priceMatch });
  }

  /** Two traders trade at a price: `long` buys from `short`. */
  trade(long: string, short: string, quantity: number, at: number, symbol = "BTCUSDT"): Answer {
    assert.equal(this.sell(short, quantity, { at, in: symbol }).refusal, "");
    const answer = this.buy(long, quantity, { at, in: symbol, tif: "IOC" });
    assert.equal(answer.refusal, "");
    return answer;
  }

  /** Settings. */

  leverage(name: string, leverage: number, symbol = "BTCUSDT"): Answer {
    return this.#of(name, { kind: "set_leverage", market: this.#market(symbol).number, leverage });
  }

  mode(name: string, mode: "cross" | "isolated", symbol = "BTCUSDT"): Answer {
    const code = mode === "cross" ? CROSS : ISOLATED;
    return this.#of(name, { kind: "set_margin_mode", market: this.#market(symbol).number, mode: code });
  }

  moveMargin(name: string, amount: number, symbol = "BTCUSDT"): Answer {
    const market = this.#market(symbol).number;
    return this.#of(name, { kind: "move_isolated_margin", market, amount_micros: usdt(amount) });
  }

  /** Markets. */

  /** The index, and the mark where it is another price. */
  price(index: number, symbol = "BTCUSDT", mark = index): Answer {
    const { number, definition } = this.#market(symbol);
    const ticks = { indexTicks: ticksOf(definition, index), markTicks: ticksOf(definition, mark) };
    return this.#at({ kind: "set_price", market: number, ...ticks });
  }

  /** The same a second later. */
  nextPrice(index: number, symbol = "BTCUSDT", mark = index): Answer {
    this.time_ms += 1_000;
    return this.price(index, symbol, mark);
  }

  rules(change: Partial<MarketRules>, symbol = "BTCUSDT"): Answer {
    const { number, rules } = this.#market(symbol);
    return this.#at({ kind: "set_market_rules", market: number, rules: { ...rules, ...change } });
  }

  status(status: keyof typeof STATUSES, symbol = "BTCUSDT"): Answer {
    const { number } = this.#market(symbol);
    return this.#at({ kind: "set_market_status", market: number, status: STATUSES[status] });
  }

  /** The next hour's funding. */
  funding(rate_e8: number, symbol = "BTCUSDT"): Answer {
    this.#hour += 1;
    return this.#at({ kind: "apply_funding", market: this.#market(symbol).number, rate_e8, hour: this.#hour });
  }

  /** Time. */

  advance(duration_ms: number): Answer {
    this.time_ms += duration_ms;
    return this.#at({ kind: "advance_time" });
  }

  /** Deposits, withdrawals and other external commands; each has the next number. */

  deposit(name: string, amount: number): Answer {
    return this.#outside(name, { kind: "deposit", amount_micros: usdt(amount) });
  }

  holdWithdrawal(name: string, amount: number): Answer {
    return this.#outside(name, { kind: "hold_withdrawal", amount_micros: usdt(amount) });
  }

  settleWithdrawal(name: string, amount: number, isDone: boolean): Answer {
    return this.#outside(name, { kind: "settle_withdrawal", amount_micros: usdt(amount), isDone });
  }

  seedFund(amount: number): Answer {
    return this.#at({ kind: "seed_fund", number: this.nextNumber(), amount_micros: usdt(amount) });
  }

  payOut(amount: number): Answer {
    return this.#at({ kind: "pay_out", number: this.nextNumber(), amount_micros: usdt(amount) });
  }

  returnPayout(amount: number): Answer {
    return this.#at({ kind: "return_payout", number: this.nextNumber(), amount_micros: usdt(amount) });
  }

  discount(name: string, discount_bps: number): Answer {
    return this.#outside(name, { kind: "set_discount", discount_bps });
  }

  terms(name: string, version: number): Answer {
    return this.#outside(name, { kind: "set_terms", version });
  }

  /** Fills carry the terms of `leader` from now on; the trader's own if it is the leader. */
  follow(name: string, leader: string): Answer {
    return this.#outside(name, { kind: "follow_terms", leader: this.number(leader) });
  }

  /** A bonus that expires after seven days. */
  grant(name: string, amount: number, maxLeverage = 10): Answer {
    const expires_ms = this.time_ms + 7 * DAY_ms;
    return this.#outside(name, { kind: "grant_bonus", amount_micros: usdt(amount), maxLeverage, expires_ms });
  }

  freeze(name: string): Answer {
    return this.#outside(name, { kind: "freeze_bonus" });
  }

  unfreeze(name: string): Answer {
    return this.#outside(name, { kind: "unfreeze_bonus" });
  }

  recall(name: string): Answer {
    return this.#outside(name, { kind: "recall_bonus" });
  }

  expire(name: string): Answer {
    return this.#of(name, { kind: "expire_bonus" });
  }

  closeExpired(name: string): Answer {
    return this.#of(name, { kind: "close_expired_bonus" });
  }

  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  #place(name: string, side: Side, quantity: number, options: OrderOptions): Answer {
    const { number, definition } = this.#market(options.in ?? "BTCUSDT");
    return this.#of(name, orderOf(definition, number, side, quantity, options));
  }

  #placeConditional(
    name: string,
    type: PlaceConditional["type"],
    side: "buy" | "sell",
    quantity: number,
    options: ConditionalOptions,
  ): Answer {
    const { number, definition } = this.#market(options.in ?? "BTCUSDT");
    return this.#of(name, conditionalOf(definition, number, type, side === "buy" ? BUY : SELL, quantity, options));
  }

  #market(symbol: string) {
    const market = this.engine.state.markets.find(({ definition }) => definition.symbol === symbol);
    assert.ok(market !== undefined, `a market ${symbol}`);
    return market;
  }

  #at(command: DistributiveOmit<Command, "time_ms">): Answer {
    return this.apply({ ...command, time_ms: this.time_ms });
  }

  #of(name: string, command: DistributiveOmit<Extract<Command, { account: number }>, "time_ms" | "account">): Answer {
    return this.apply({ ...command, account: this.number(name), time_ms: this.time_ms } as Command);
  }

  #outside(
    name: string,
    command: DistributiveOmit<Extract<Command, { account: number; number: number }>, "time_ms" | "account" | "number">,
  ): Answer {
    const number = this.nextNumber();
    return this.apply({ ...command, account: this.number(name), number, time_ms: this.time_ms } as Command);
  }
}

/** The newest rules before version 5. Exchanges that are not raised go on by them. */
export const EARLIER_RULES = RULES_WITH_FAIR_MARKETS - 1;

export const earlierExchange = () => new TestExchange(FIRST_MARKETS, EARLIER_RULES);

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
