import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  auditEngine,
  BUY,
  type Command,
  FIRST_MARKETS,
  FUND_ACCOUNT,
  GTC,
  IOC,
  LIMIT,
  MARKET,
  NEXT_RULES,
  NO_MARKET,
  PLAIN_ORDER,
  SCOPE_BOTH,
  SELL,
  type Side,
} from "@bourse/engine";
import { Prng } from "../../../engine/src/book/testing/prng.ts";
import { fundEquity } from "../../../engine/src/risk/fund-equity.ts";
import { EARLIER_RULES } from "../scenarios/exchange.ts";
import { WatchedEngine } from "./watched-engine.ts";

const MAKERS = 30;
const MARKS = [600_000, 300_000, 15_000, 30_000];
const USDT = 1_000_000;
const LEVELS = 4;

/** Ten thousand traders at the highest leverage, a few market makers, and a fund that is too small. */
class CrowdedExchange {
  readonly watched: WatchedEngine;
  readonly #prng = new Prng(2026);
  #number = 0;
  #time_ms = 20_605 * 86_400_000;

  readonly #traders: number;

  constructor(traders: number, fund: number, rulesVersion: number) {
    this.watched = new WatchedEngine(rulesVersion);
    this.#traders = traders;
    for (const definition of FIRST_MARKETS) this.#apply({ kind: "add_market", definition });
    for (const market of MARKS.keys()) this.setPrice(market, 1);
    if (fund > 0) this.#apply({ kind: "seed_fund", number: this.#next(), amount_micros: fund * USDT });
    for (let account = 1; account <= MAKERS + traders; account += 1) {
      this.#apply({ kind: "open_account", account });
      const money = account <= MAKERS ? 50_000_000 : this.#prng.pick([200, 1_000, 5_000, 20_000]);
      this.#apply({ kind: "deposit", number: this.#next(), account, amount_micros: money * USDT });
    }
    for (let account = 1; account <= MAKERS; account += 1) {
      for (const market of MARKS.keys()) this.#setLeverage(account, market, 2);
    }
  }

  /** Sets the mark price to a factor of its start. */
  setPrice(market: number, factor: number): void {
    const ticks = Math.round(MARKS[market]! * factor);
    this.#apply({ kind: "set_price", market, indexTicks: ticks, markTicks: ticks });
  }

  /** Lets time pass before the next command. */
  wait(duration_ms: number): void {
    this.#time_ms += duration_ms;
  }

  /** Every maker offers on both sides of the mark price, `part` of what it could. */
  quote(part: number): void {
    for (let account = 1; account <= MAKERS; account += 1) {
      this.#apply({ kind: "cancel_all", account, market: NO_MARKET, scope: SCOPE_BOTH });
      FIRST_MARKETS.forEach((definition, market) => {
        const { markTicks } = this.watched.engine.state.markets[market]!;
        const size = part * (market < 2 ? 1_000_000 : 60_000) * USDT;
        const lots = Math.max(1, Math.floor(size / LEVELS / (markTicks * definition.unit_micros)));
        for (let level = 1; level <= LEVELS; level += 1) {
          const away = Math.ceil((markTicks * (level * 4 + this.#prng.below(4))) / 10_000);
          this.#order(account, market, BUY, lots, markTicks - away);
          this.#order(account, market, SELL, lots, markTicks + away);
        }
      });
    }
  }

  withdrawQuotes(): void {
    for (let account = 1; account <= MAKERS; account += 1) {
      this.#apply({ kind: "cancel_all", account, market: NO_MARKET, scope: SCOPE_BOTH });
    }
  }

  /** Traders open positions one after the other, at up to 50×, with nearly all their money. */
  rush(): void {
    for (let account = MAKERS + 1; account <= MAKERS + this.#traders; account += 1) {
      if (account % 500 === 0) this.quote(1);
      const market = this.#prng.below(MARKS.length);
      const leverage = this.#prng.pick(market < 2 ? [10, 20, 25, 50, 50] : [5, 10, 20, 20]);
      this.#setLeverage(account, market, leverage);
      this.#enter(account, market, leverage, 70);
      if (this.#prng.isIn(25)) this.#enter(account, (market + 1) % MARKS.length, 10, 20);
    }
  }

  check(): number {
    assert.deepEqual(this.watched.problems(), []);
    return auditEngine(this.watched.engine).belowZero.filter(({ account }) => account !== FUND_ACCOUNT).length;
  }

  #enter(account: number, market: number, leverage: number, percent: number): void {
    const { margin, state } = this.watched.engine;
    margin.compute(account);
    const { markTicks, definition } = state.markets[market]!;
    const value = Math.max(0, margin.available_micros) * leverage * (percent / 100);
    const side: Side = this.#prng.isIn(60) ? BUY : SELL;
    this.#order(account, market, side, Math.max(1, Math.floor(value / (markTicks * definition.unit_micros))), 0);
  }

  #setLeverage(account: number, market: number, leverage: number): void {
    this.#apply({ kind: "set_leverage", account, market, leverage });
  }

  #order(account: number, market: number, side: Side, lots: number, ticks: number): void {
    this.#apply({
      ...PLAIN_ORDER,
      account,
      market,
      side,
      type: ticks === 0 ? MARKET : LIMIT,
      timeInForce: ticks === 0 ? IOC : GTC,
      ticks,
      lots,
    });
  }

  #apply(command: Untimed): void {
    this.#time_ms += 7;
    this.watched.apply({ ...command, time_ms: this.#time_ms } as Command);
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }
}

type Untimed = Command extends infer Each ? (Each extends unknown ? Omit<Each, "time_ms"> : never) : never;

describe("a crash", () => {
  it("FUT-12: 10,000 accounts through falls of 30 % and back: nothing is lost, no account ends below zero", (test) => {
    const exchange = new CrowdedExchange(10_000, 30_000, EARLIER_RULES);
    const { watched } = exchange;
    exchange.quote(1);
    exchange.rush();
    exchange.check();
    const positions = watched.engine.state.markets.map(({ openInterestLots }) => openInterestLots);
    assert.ok(positions.every((lots) => lots > 0));
    const unresolved: number[] = [];
    // First at once, with a thin book; then slowly, with a book that follows; then all the way back at once.
    for (const market of MARKS.keys()) {
      exchange.quote(0.05);
      exchange.setPrice(market, market % 2 === 0 ? 0.7 : 0.85);
      unresolved.push(exchange.check());
    }
    for (const factor of [0.95, 0.9, 0.85, 0.8, 0.75, 0.7]) {
      exchange.quote(0.02);
      for (const market of MARKS.keys()) exchange.setPrice(market, market % 2 === 0 ? factor - 0.25 : factor);
      unresolved.push(exchange.check());
    }
    for (const market of MARKS.keys()) exchange.setPrice(market, 1.05);
    unresolved.push(exchange.check());
    exchange.quote(1);
    exchange.rush();
    for (const market of MARKS.keys()) exchange.setPrice(market, market < 2 ? 0.7 : 1.4);
    unresolved.push(exchange.check());

    for (const name of ["liquidation_started", "fill liquidation", "fill takeover", "fill adl", "fill fund"]) {
      assert.ok(watched.countOf(name) > 0, name);
      test.diagnostic(`${name}: ${watched.countOf(name)}`);
    }
    test.diagnostic(`commands: ${watched.engine.state.commandNumber}, trades: ${watched.countOf("fill trade") / 2}`);
    test.diagnostic(`cases below zero at the checks: ${unresolved.join(", ")}`);
    test.diagnostic(`ended unresolved: ${watched.countOf("unresolved")}`);
    test.diagnostic(`in the fund at the end: ${watched.engine.state.accounts.principal(FUND_ACCOUNT) / USDT}`);
  });

  it("FUT-12, FUT-22: by version 5, a fall of 30 % in a minute leaves no case unpaid, and the fund within its cap", (test) => {
    const exchange = new CrowdedExchange(600, 100_000, NEXT_RULES);
    const { watched } = exchange;
    const { state, margin } = watched.engine;
    exchange.quote(1);
    exchange.rush();
    const before = state.accounts.principal(FUND_ACCOUNT);
    exchange.wait(1_000);
    for (let second = 1; second <= 60; second += 1) {
      if (second % 5 === 0) exchange.quote(0.01);
      for (const market of MARKS.keys()) exchange.setPrice(market, 1 - second * 0.005);
      if (second % 5 === 0) assert.equal(exchange.check(), 0, `below zero after ${second} s`);
      exchange.wait(1_000);
    }
    for (let account = 1; account <= state.accounts.count; account += 1) {
      margin.computeAll(account);
      assert.ok(2 * margin.balance_micros >= margin.maintenance_micros, `account ${account} is left unpaid`);
    }
    for (const name of ["liquidation_started", "fill liquidation", "fill takeover", "adl"]) {
      assert.ok(watched.countOf(name) > 0, name);
      test.diagnostic(`${name}: ${watched.countOf(name)}`);
    }
    // Of each market a tenth or a twentieth, and what the command that reached it moved: half a percent of its inventory.
    const loss = before - fundEquity(state);
    test.diagnostic(`fund: ${loss / USDT} lost of ${before / USDT}`);
    assert.ok(loss <= before * (0.1 + 0.1 + 0.05 + 0.05 + 0.005 * 3), `the fund lost ${loss / USDT}`);
  });

  for (const version of [EARLIER_RULES, NEXT_RULES]) emptyFundAndBook(version);
});

function emptyFundAndBook(version: number): void {
  it(`FUT-12: by version ${version}, an empty fund and an empty book: the other side bears all of it`, (test) => {
    const exchange = new CrowdedExchange(2_000, 0, version);
    const { watched } = exchange;
    exchange.quote(1);
    exchange.rush();
    exchange.withdrawQuotes();
    for (const factor of [0.7, 1.3, 0.49]) {
      for (const market of MARKS.keys()) exchange.setPrice(market, factor);
      assert.equal(exchange.check(), 0);
    }
    assert.ok(watched.countOf("fill adl") > 0);
    assert.equal(watched.countOf("fill liquidation"), 0);
    // From version 5 on fees are paid also outside the book, and the fund has some money by the second fall.
    if (version === EARLIER_RULES) assert.equal(watched.countOf("fill takeover"), 0);
    test.diagnostic(`liquidations: ${watched.countOf("liquidation_started")}, adl: ${watched.countOf("fill adl")}`);
  });
}
