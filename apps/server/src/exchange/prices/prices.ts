import { MAX_TICKS } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import type { Applied, Exchange } from "../host/exchange.ts";
import { indexTicks, isFresh, nearestTicks } from "./index-price.ts";
import { type EngineMarket, MarketGuard } from "./market-guard.ts";
import { MarketPrice, nextFundingTime } from "./market-price.ts";
import type { PriceSource } from "./sources/price-source.ts";
import { PushSource } from "./sources/push.ts";
import type { SimulatedPrices } from "./sources/simulated.ts";
import type { KeptMarket, PriceStore } from "./store.ts";
import type { Timers } from "./timers.ts";

const TICK_MS = 1_000;
/** FUT-13: an unchanged price is submitted again after this time. */
const MAX_SILENCE_MS = 10_000;
const MAX_FEEDS = 16;
const FEED_NAME = /^[A-Za-z0-9_-]{1,30}$/;

/** The request cannot be met: the market is unknown or the price is not valid. */
export class PriceRefused extends Error {
  readonly isUnknownMarket: boolean;
  constructor(message: string, isUnknownMarket = false) {
    super(message);
    this.name = "PriceRefused";
    this.isUnknownMarket = isUnknownMarket;
  }
}

export interface PricesOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly store: PriceStore;
  readonly sources: readonly PriceSource[];
  /** The simulated prices, if there are any; they are reset when a start price is set. */
  readonly simulated?: Pick<SimulatedPrices, "forget"> | undefined;
  /** Whether admins may push prices. */
  readonly isPushed: boolean;
  readonly onError: (message: string, error: unknown) => void;
}

/** A market's prices for the admin console. */
export interface PriceReport {
  readonly symbol: string;
  readonly indexTicks: number;
  readonly markTicks: number;
  readonly isPinned: boolean;
  /** Whether the market is reduce-only because too few sources are fresh. */
  readonly isGuarded: boolean;
  readonly sources: readonly {
    readonly name: string;
    readonly price_e8: number;
    readonly age_ms: number;
    readonly isFresh: boolean;
  }[];
}

/** FUT-13: computes index and mark of every market once a second and submits them to the engine. */
export class Prices {
  readonly #options: PricesOptions;
  readonly #sources: PriceSource[];
  readonly #feeds = new Map<string, PushSource>();
  readonly #kept = new Map<string, KeptMarket>();
  readonly #homes_e8 = new Map<string, number>();
  /** By market number. */
  readonly #markets: MarketPrice[] = [];
  #stopTimer: (() => void) | undefined;
  /** Unfinished rounds; there may be several if the log is slow. */
  readonly #rounds = new Set<Promise<void>>();
  #clockMoves = 0;
  #restamped_ms = Number.NEGATIVE_INFINITY;

  constructor(options: PricesOptions) {
    this.#options = options;
    this.#sources = [...options.sources];
    options.exchange.listen((applied) => this.#onApplied(applied));
  }

  /** Called before the first request: reads the first prices and submits them. */
  async start(): Promise<void> {
    for (const kept of await this.#options.store.load()) {
      this.#kept.set(kept.symbol, kept);
      if (kept.home_e8 !== undefined) this.#homes_e8.set(kept.symbol, kept.home_e8);
    }
    await Promise.all(this.#sources.map((source) => source.start()));
    await this.tick();
    this.#stopTimer = this.#options.timers.every(TICK_MS, () => void this.tick());
  }

  /** Submits nothing more and waits for pending submissions. */
  async stop(): Promise<void> {
    this.#stopTimer?.();
    await Promise.all(this.#rounds);
    await Promise.all(this.#sources.map((source) => source.stop()));
  }

  /** Updates all markets; resolves when the engine has applied the prices. Never rejects. */
  tick(): Promise<void> {
    if (this.#clockMoves > 0 || this.#options.exchange.failure !== undefined) return Promise.resolve();
    const round = this.#tickAll().finally(() => this.#rounds.delete(round));
    this.#rounds.add(round);
    return round;
  }

  /** After a clock jump: gives the known prices the present time. */
  restamp(): void {
    this.#restamped_ms = this.#options.clock.now();
  }

  /**
   * RUN-6: while the clock is moved no price becomes stale; afterwards all prices are fresh and submitted before the
   * reply.
   */
  async duringClockMove<T>(move: () => Promise<T>): Promise<T> {
    this.#clockMoves += 1;
    try {
      await Promise.all(this.#rounds);
      return await move();
    } finally {
      this.#clockMoves -= 1;
      this.restamp();
      await this.tick();
    }
  }

  /** RUN-6: pins or releases the index of a market; resolves when the engine has applied it. */
  async pin(symbol: string, price_e8: number | null): Promise<PriceReport> {
    const entry = this.#entryOf(symbol);
    if (price_e8 !== null) this.#checkPrice(entry.market, price_e8);
    await this.#options.store.keepPin(symbol, price_e8 ?? undefined);
    entry.pinned_e8 = price_e8 ?? undefined;
    const now_ms = this.#options.clock.now();
    const index = this.#indexOf(entry, now_ms);
    if (index !== 0) await this.#submit(entry, index, entry.markTicks(index, now_ms), now_ms);
    await entry.guard.judge(index !== 0);
    return this.report(symbol);
  }

  /** Whether admins may push prices. */
  get takesPushes(): boolean {
    return this.#options.isPushed;
  }

  /** Takes a price from an admin's program. Each feed counts as one source. */
  push(symbol: string, price_e8: number, feed = "operator"): void {
    if (!this.#options.isPushed) throw new PriceRefused("prices are not pushed here: PRICE_SOURCES says otherwise");
    this.#checkPrice(this.#entryOf(symbol).market, price_e8);
    let source = this.#feeds.get(feed);
    if (source === undefined) {
      if (!FEED_NAME.test(feed)) throw new PriceRefused("a feed is named by 1 to 30 letters, digits, _ and -");
      if (this.#feeds.size === MAX_FEEDS) throw new PriceRefused(`there are ${MAX_FEEDS} feeds already`);
      source = new PushSource(feed, this.#options.clock);
      this.#feeds.set(feed, source);
      this.#sources.push(source);
    }
    source.push(symbol, price_e8);
  }

  /** Sets the price at which the simulated price of a market starts and around which it moves. */
  async setStartPrice(symbol: string, price_e8: number): Promise<void> {
    this.#checkPrice(this.#entryOf(symbol).market, price_e8);
    await this.#options.store.keepHome(symbol, price_e8);
    this.#homes_e8.set(symbol, price_e8);
    this.#options.simulated?.forget(symbol);
  }

  /** The start price that an admin has set. */
  startPrice_e8(symbol: string): number | undefined {
    return this.#homes_e8.get(symbol);
  }

  report(symbol: string): PriceReport {
    const { market, pinned_e8, guard } = this.#entryOf(symbol);
    const now_ms = this.#options.clock.now();
    const sources = this.#sources.flatMap((source) => {
      const price = source.latest(symbol);
      if (price === undefined) return [];
      const age_ms = now_ms - Math.max(price.time_ms, this.#restamped_ms);
      return [{ name: source.name, price_e8: price.price_e8, age_ms, isFresh: this.#isFresh(price.time_ms, now_ms) }];
    });
    const { indexTicks, markTicks } = market;
    const { isGuarded } = guard;
    return { symbol, indexTicks, markTicks, isPinned: pinned_e8 !== undefined, isGuarded, sources };
  }

  /** FUT-14: the estimated funding rate of the current hour. */
  estimatedRate_e8(market: number): number {
    return this.#entry(this.#options.exchange.engine.state.markets[market]!).estimate_e8(this.#options.clock.now());
  }

  /** FUT-14: the rate that a market settles at the beginning of an hour. */
  rate_e8(market: number, hour: number): number {
    return this.#entry(this.#options.exchange.engine.state.markets[market]!).rate_e8(hour);
  }

  /** FUT-14: the next full UTC hour. */
  nextFundingTime(now_ms: number): number {
    return nextFundingTime(now_ms);
  }

  async #tickAll(): Promise<void> {
    const now_ms = this.#options.clock.now();
    const { markets } = this.#options.exchange.engine.state;
    await Promise.all(markets.map((market) => this.#tickOne(this.#entry(market), now_ms)));
  }

  async #tickOne(entry: MarketPrice, now_ms: number): Promise<void> {
    const index = this.#indexOf(entry, now_ms);
    const work: Promise<void>[] = [];
    if (index !== 0) {
      entry.sample(index, now_ms);
      const mark = entry.markTicks(index, now_ms);
      const isNews = index !== entry.market.indexTicks || mark !== entry.market.markTicks;
      const isDue = isNews || now_ms - entry.submitted_ms >= MAX_SILENCE_MS;
      if (isDue && !entry.isSubmitting) work.push(this.#submit(entry, index, mark, now_ms));
    }
    // After the price, so that the market does not open again at the old price.
    work.push(entry.guard.judge(index !== 0));
    await Promise.all(work).catch((error) => this.#options.onError("a price could not be set", error));
  }

  async #submit(entry: MarketPrice, indexTicks: number, markTicks: number, now_ms: number): Promise<void> {
    const market = entry.market.number;
    entry.isSubmitting = true;
    entry.submitted_ms = now_ms;
    try {
      const { events } = await this.#options.exchange.submit(
        { kind: "set_price", market, indexTicks, markTicks },
        true,
      );
      const refusal = events.find((event) => event.kind === "refused");
      if (refusal !== undefined && !entry.isRefused) {
        this.#options.onError(`the engine refuses the price of ${entry.market.definition.symbol}`, refusal.reason);
      }
      entry.isRefused = refusal !== undefined;
    } finally {
      entry.isSubmitting = false;
    }
  }

  /** In ticks; 0 for none. */
  #indexOf({ market, pinned_e8 }: MarketPrice, now_ms: number): number {
    if (pinned_e8 !== undefined) return nearestTicks(market.definition, pinned_e8);
    return indexTicks(market.definition, this.#sources, now_ms, this.#restamped_ms);
  }

  #isFresh(time_ms: number, now_ms: number): boolean {
    return isFresh({ time_ms, price_e8: 0 }, now_ms, this.#restamped_ms);
  }

  #checkPrice({ definition }: EngineMarket, price_e8: number): void {
    const isPrice = Number.isSafeInteger(price_e8) && price_e8 > 0 && price_e8 < Number.MAX_SAFE_INTEGER / 4;
    if (!isPrice || nearestTicks(definition, price_e8) > MAX_TICKS) {
      throw new PriceRefused(`that is no price of ${definition.symbol}`);
    }
  }

  #entryOf(symbol: string): MarketPrice {
    const market = this.#options.exchange.engine.state.markets.find(({ definition }) => definition.symbol === symbol);
    if (market === undefined) throw new PriceRefused(`there is no market ${symbol}`, true);
    return this.#entry(market);
  }

  #entry(market: EngineMarket): MarketPrice {
    const known = this.#markets[market.number];
    if (known !== undefined) return known;
    const { exchange, store, onError } = this.#options;
    const kept = this.#kept.get(market.definition.symbol);
    const isGuarded = kept?.isGuarded ?? false;
    const entry = new MarketPrice(market, new MarketGuard({ exchange, store, market, isGuarded, onError }));
    entry.pinned_e8 = kept?.pinned_e8;
    this.#markets[market.number] = entry;
    return entry;
  }

  #onApplied({ number, command, events }: Applied): void {
    if (command.kind !== "set_market_status" || events.some((event) => event.kind === "refused")) return;
    this.#markets[command.market]?.guard.onStatus(number, command.status);
  }
}
