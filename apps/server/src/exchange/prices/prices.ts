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
/** FUT-13: a price that has not changed is said again after so long. */
const MAX_SILENCE_MS = 10_000;
const MAX_FEEDS = 16;
const FEED_NAME = /^[A-Za-z0-9_-]{1,30}$/;

/** Somebody asked for something that cannot be: an unknown market, a price that is none. */
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
  /** Where prices are simulated: what new markets get a start price in. */
  readonly simulated?: Pick<SimulatedPrices, "forget"> | undefined;
  /** Whether operators may hand prices in. */
  readonly isPushed: boolean;
  readonly onError: (message: string, error: unknown) => void;
}

/** A market's prices as the console shows them. */
export interface PriceReport {
  readonly symbol: string;
  readonly indexTicks: number;
  readonly markTicks: number;
  readonly isPinned: boolean;
  /** Reduce-only because too few sources are fresh. */
  readonly isGuarded: boolean;
  readonly sources: readonly {
    readonly name: string;
    readonly price_e8: number;
    readonly age_ms: number;
    readonly isFresh: boolean;
  }[];
}

/** FUT-13: makes index and mark of every market, once a second, and hands them to the engine. */
export class Prices {
  readonly #options: PricesOptions;
  readonly #sources: PriceSource[];
  readonly #feeds = new Map<string, PushSource>();
  readonly #kept = new Map<string, KeptMarket>();
  readonly #homes_e8 = new Map<string, number>();
  /** By number. */
  readonly #markets: MarketPrice[] = [];
  #stopTimer: (() => void) | undefined;
  /** Rounds that are not finished: more than one where the log is slow. */
  readonly #rounds = new Set<Promise<void>>();
  #clockMoves = 0;
  #restamped_ms = Number.NEGATIVE_INFINITY;

  constructor(options: PricesOptions) {
    this.#options = options;
    this.#sources = [...options.sources];
    options.exchange.listen((applied) => this.#onApplied(applied));
  }

  /** Before the first request: learns the first prices and sets them. */
  async start(): Promise<void> {
    for (const kept of await this.#options.store.load()) {
      this.#kept.set(kept.symbol, kept);
      if (kept.home_e8 !== undefined) this.#homes_e8.set(kept.symbol, kept.home_e8);
    }
    await Promise.all(this.#sources.map((source) => source.start()));
    await this.tick();
    this.#stopTimer = this.#options.timers.every(TICK_MS, () => void this.tick());
  }

  /** Submits nothing more and waits for what is on its way. */
  async stop(): Promise<void> {
    this.#stopTimer?.();
    await Promise.all(this.#rounds);
    await Promise.all(this.#sources.map((source) => source.stop()));
  }

  /** One round over all markets, resolved when the engine has what came of it. Never rejects. */
  tick(): Promise<void> {
    if (this.#clockMoves > 0 || this.#options.exchange.failure !== undefined) return Promise.resolve();
    const round = this.#tickAll().finally(() => this.#rounds.delete(round));
    this.#rounds.add(round);
    return round;
  }

  /** The clock has jumped: what is known counts as of now. */
  restamp(): void {
    this.#restamped_ms = this.#options.clock.now();
  }

  /** RUN-6: while the clock is being moved no price grows old, and afterwards all are fresh and set before the answer. */
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

  /** RUN-6: fixes the index of a market, or lets it go; done when the engine has it. */
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

  /** Whether operators may hand prices in. */
  get takesPushes(): boolean {
    return this.#options.isPushed;
  }

  /** A price from an operator's own program. Each feed counts as one source. */
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

  /** Where the simulated price of a market starts and what it stays around. */
  async setStartPrice(symbol: string, price_e8: number): Promise<void> {
    this.#checkPrice(this.#entryOf(symbol).market, price_e8);
    await this.#options.store.keepHome(symbol, price_e8);
    this.#homes_e8.set(symbol, price_e8);
    this.#options.simulated?.forget(symbol);
  }

  /** What an admin has said a symbol starts at. */
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

  /** FUT-14: the funding rate of the hour that runs, as far as it is known. */
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
    // Behind the price, so that nobody trades anew on the old one.
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
