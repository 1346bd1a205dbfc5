/** An exchange in memory with a manual clock and price sources that a test sets. */
import assert from "node:assert/strict";
import {
  BUY,
  Engine,
  type EngineEvent,
  FIRST_MARKETS,
  lotsOfQuantity,
  type MarketStatus,
  NEWEST_RULES,
  PLAIN_ORDER,
  SELL,
  type Side,
  State,
  ticksOfPrice,
} from "@bourse/engine";
import { ManualClock } from "../../kernel/clock.ts";
import { type CommandLog, MemoryLog } from "../../kernel/journal/command-log.ts";
import { parseMoney, parseSize } from "../../kernel/units.ts";
import type { Exchange, Unstamped } from "../host/exchange.ts";
import { createMemoryExchange } from "../testing/memory-exchange.ts";
import { Prices, type PricesOptions } from "./prices.ts";
import type { PriceSource, SourcePrice } from "./sources/price-source.ts";
import { MemoryPriceStore } from "./store.ts";
import type { Timers } from "./timers.ts";

export const TEST_NOON_MS = Date.UTC(2026, 5, 1, 12);

/** Runs only when a test calls `fire`. */
export class ManualTimers implements Timers {
  readonly #running = new Set<{ readonly period_ms: number; readonly run: () => void }>();

  every(period_ms: number, run: () => void): () => void {
    const timer = { period_ms, run };
    this.#running.add(timer);
    return () => this.#running.delete(timer);
  }

  get count(): number {
    return this.#running.size;
  }

  /** Runs every timer with this period once. */
  fire(period_ms: number): void {
    for (const timer of [...this.#running]) if (timer.period_ms === period_ms) timer.run();
  }
}

/** Returns the price that the test set last. */
export class ManualSource implements PriceSource {
  readonly name: string;
  readonly #clock: ManualClock;
  readonly #prices = new Map<string, SourcePrice>();

  constructor(name: string, clock: ManualClock) {
    this.name = name;
    this.#clock = clock;
  }

  say(symbol: string, price: string): void {
    this.#prices.set(symbol, { price_e8: sizeOf(price), time_ms: this.#clock.now() });
  }

  latest(symbol: string): SourcePrice | undefined {
    return this.#prices.get(symbol);
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

export function sizeOf(text: string): number {
  const read = parseSize(text);
  assert.ok(read !== undefined && !read.isInexact, `${text} is a decimal`);
  return read.value;
}

export interface TestExchangeOptions {
  readonly log?: CommandLog | undefined;
  /** The newest unless a test is about older ones. */
  readonly rulesVersion?: number | undefined;
}

/** The four first markets, on a clock that stands at noon. */
export class TestExchange {
  readonly clock = new ManualClock(TEST_NOON_MS);
  readonly timers = new ManualTimers();
  readonly store = new MemoryPriceStore();
  readonly errors: string[] = [];
  readonly alarms: string[] = [];
  readonly exchange: Exchange;
  #external = 0;

  constructor({ log = new MemoryLog(), rulesVersion = NEWEST_RULES }: TestExchangeOptions = {}) {
    const onFailure = (error: unknown) => this.errors.push(String(error));
    const engine = new Engine(new State(rulesVersion));
    this.exchange = createMemoryExchange({ engine, log, clock: this.clock, onFailure });
  }

  async open(): Promise<this> {
    for (const definition of FIRST_MARKETS) await this.submit({ kind: "add_market", definition });
    return this;
  }

  /** Prices from these sources, not started. */
  prices(sources: readonly PriceSource[], more: Partial<PricesOptions> = {}): Prices {
    const { exchange, clock, timers, store } = this;
    const onError = (message: string, error: unknown) => this.errors.push(`${message}: ${String(error)}`);
    const onAlarm = (message: string) => this.alarms.push(message);
    return new Prices({ exchange, clock, timers, store, sources, isPushed: false, onAlarm, onError, ...more });
  }

  source(name: string): ManualSource {
    return new ManualSource(name, this.clock);
  }

  async submit(command: Unstamped): Promise<readonly EngineEvent[]> {
    const { events } = await this.exchange.submit(command);
    const refusal = events.find((event) => event.kind === "refused");
    assert.equal(refusal, undefined, JSON.stringify(refusal));
    return events;
  }

  market(symbol = "BTCUSDT") {
    const market = this.exchange.engine.state.markets.find(({ definition }) => definition.symbol === symbol);
    assert.ok(market !== undefined, `a market ${symbol}`);
    return market;
  }

  /** Index and mark, in ticks. */
  shown(symbol = "BTCUSDT"): [index: number, mark: number] {
    const { indexTicks, markTicks } = this.market(symbol);
    return [indexTicks, markTicks];
  }

  async setStatus(status: MarketStatus, symbol = "BTCUSDT"): Promise<void> {
    await this.submit({ kind: "set_market_status", market: this.market(symbol).number, status });
  }

  async trader(amount: string): Promise<number> {
    const account = this.exchange.engine.state.accounts.count + 1;
    await this.submit({ kind: "open_account", account });
    const amount_micros = parseMoney(amount)!.value;
    await this.submit({ kind: "deposit", account, number: this.nextExternal(), amount_micros });
    return account;
  }

  /** The number of the next command that comes from outside. */
  nextExternal(): number {
    this.#external += 1;
    return this.#external;
  }

  async setLeverage(account: number, leverage: number, symbol = "BTCUSDT"): Promise<void> {
    await this.submit({ kind: "set_leverage", account, market: this.market(symbol).number, leverage });
  }

  principal(account: number): number {
    return this.exchange.engine.state.accounts.principal(account);
  }

  buy(account: number, quantity: string, price: string, symbol = "BTCUSDT"): Promise<readonly EngineEvent[]> {
    return this.#place(account, BUY, quantity, price, symbol);
  }

  sell(account: number, quantity: string, price: string, symbol = "BTCUSDT"): Promise<readonly EngineEvent[]> {
    return this.#place(account, SELL, quantity, price, symbol);
  }

  #place(account: number, side: Side, quantity: string, price: string, symbol: string) {
    const { number, definition } = this.market(symbol);
    return this.submit({
      ...PLAIN_ORDER,
      account,
      market: number,
      side,
      ticks: ticksOfPrice(definition, sizeOf(price)),
      lots: lotsOfQuantity(definition, sizeOf(quantity)),
    });
  }
}
