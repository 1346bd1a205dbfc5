import { HALTED, MAX_TICKS } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import { HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";
import type { Applied, Exchange } from "../host/exchange.ts";
import { settleHour } from "./funding-hour.ts";
import { nearestTicks, readIndex, type SourceReading } from "./index-price.ts";
import { type EngineMarket, MarketGuard } from "./market-guard.ts";
import { MarketPrice, nextFundingTime } from "./market-price.ts";
import { PremiumKeeper } from "./premium-keeper.ts";
import type { NoIndex } from "./source-prices.ts";
import type { PriceSource } from "./sources/price-source.ts";
import { PushSource } from "./sources/push.ts";
import type { SimulatedPrices } from "./sources/simulated.ts";
import type { GuardRecord, KeptMarket, PriceStore } from "./store.ts";
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
  /** The only feeds that may be pushed; all if there are none. */
  readonly feeds?: readonly string[] | undefined;
  /** FUT-13: an operator has to know at once. */
  readonly onAlarm: (message: string) => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** A market's prices for the admin console. */
export interface PriceReport {
  readonly symbol: string;
  readonly indexTicks: number;
  readonly markTicks: number;
  readonly isPinned: boolean;
  /** What the guard has made of the market for want of an index. */
  readonly guard: GuardRecord | undefined;
  /** Why the sources make no index now. */
  readonly noIndex: NoIndex | undefined;
  readonly sources: readonly SourceReading[];
}

/** FUT-13: computes index and mark of every market once a second and submits them to the engine. */
export class Prices {
  readonly #options: PricesOptions;
  readonly #sources: PriceSource[];
  readonly #feeds = new Map<string, PushSource>();
  readonly #kept = new Map<string, KeptMarket>();
  readonly #homes_e8 = new Map<string, number>();
  readonly #premiums: PremiumKeeper;
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
    this.#premiums = new PremiumKeeper(options);
    options.exchange.listen((applied) => this.#onApplied(applied));
  }

  /** Called before the first request: reads the first prices and submits them. */
  async start(): Promise<void> {
    for (const kept of await this.#options.store.load()) {
      this.#kept.set(kept.symbol, kept);
      if (kept.home_e8 !== undefined) this.#homes_e8.set(kept.symbol, kept.home_e8);
    }
    // Whoever has asked before, such as a scrape of metrics, has made entries that know nothing of the store.
    this.#markets.length = 0;
    await Promise.all(this.#sources.map((source) => source.start()));
    await this.tick();
    this.#stopTimer = this.#options.timers.every(TICK_MS, () => void this.tick());
  }

  /** Submits nothing more and waits for pending submissions. */
  async stop(): Promise<void> {
    this.#stopTimer?.();
    await Promise.all(this.#rounds);
    await this.#premiums.done();
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
    await this.#judge(entry, index, now_ms);
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
      const { feeds = [] } = this.#options;
      if (feeds.length > 0 && !feeds.includes(feed)) {
        throw new PriceRefused(`PRICE_SOURCES names the feeds ${feeds.join(", ")} only`);
      }
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
    const { sources, noIndex } = this.#read(market, this.#options.clock.now());
    const { indexTicks, markTicks } = market;
    const isPinned = pinned_e8 !== undefined;
    return {
      symbol,
      indexTicks,
      markTicks,
      isPinned,
      guard: guard.record,
      noIndex: isPinned ? undefined : noIndex,
      sources,
    };
  }

  /** FUT-14: the estimated funding rate of the current hour. */
  estimatedRate_e8(market: number): number {
    return this.#entryAt(market).estimate_e8(this.#options.clock.now());
  }

  /** FUT-14: the rate that a market settles at the beginning of an hour. */
  rate_e8(market: number, hour: number): number {
    return this.#entryAt(market).rate_e8(hour, this.#options.clock.now());
  }

  /**
   * FUT-13, FUT-14: whether a market has no index and is not halted. Its funding is put off then: it would judge
   * positions by a mark that nobody vouches for.
   */
  putsOffFunding(market: number): boolean {
    const entry = this.#entryAt(market);
    if (!entry.guard.isBlind) return false;
    entry.owesFunding = true;
    return true;
  }

  /** FUT-14: the next full UTC hour. */
  nextFundingTime(now_ms: number): number {
    return nextFundingTime(now_ms);
  }

  async #tickAll(): Promise<void> {
    const now_ms = this.#options.clock.now();
    const entries = this.#options.exchange.engine.state.markets.map((market) => this.#entry(market));
    await Promise.all(entries.map((entry) => this.#tickOne(entry, now_ms)));
  }

  async #tickOne(entry: MarketPrice, now_ms: number): Promise<void> {
    const index = this.#indexOf(entry, now_ms);
    const work: Promise<void>[] = [];
    if (index !== 0) {
      if (entry.sample(index, now_ms)) this.#premiums.keep(entry);
      const mark = entry.markTicks(index, now_ms);
      const isNews = index !== entry.market.indexTicks || mark !== entry.market.markTicks;
      const isDue = isNews || now_ms - entry.submitted_ms >= MAX_SILENCE_MS;
      if (isDue && !entry.isSubmitting) work.push(this.#submit(entry, index, mark, now_ms));
    }
    // After the price, so that the market does not open again at the old price.
    work.push(this.#judge(entry, index, now_ms));
    await Promise.all(work).catch((error) => this.#options.onError("a price could not be set", error));
  }

  async #judge(entry: MarketPrice, index: number, now_ms: number): Promise<void> {
    await entry.guard.judge({ now_ms, hasIndex: index !== 0, isPinned: entry.pinned_e8 !== undefined });
    if (entry.owesFunding && !entry.guard.isBlind) await this.#settleOwed(entry, now_ms);
  }

  /** FUT-14: settles the hours that were put off, in their order, with their own rates. */
  async #settleOwed(entry: MarketPrice, now_ms: number): Promise<void> {
    entry.owesFunding = false;
    const { exchange, onError } = this.#options;
    const { market } = entry;
    if (market.markTicks === 0) return;
    const last = Math.floor(now_ms / HOUR_ms);
    const first = market.fundingHour < 0 ? last : market.fundingHour + 1;
    try {
      for (let hour = first; hour <= last; hour += 1) {
        await settleHour(exchange, market, entry.rate_e8(hour, now_ms), hour);
      }
    } catch (error) {
      entry.owesFunding = true;
      onError(`the funding of ${market.definition.symbol} that was put off could not be settled`, error);
    }
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
    return this.#read(market, now_ms).indexTicks;
  }

  #read(market: EngineMarket, now_ms: number) {
    return readIndex(market, this.#sources, now_ms, this.#restamped_ms);
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

  #entryAt(market: number): MarketPrice {
    return this.#entry(this.#options.exchange.engine.state.markets[market]!);
  }

  #entry(market: EngineMarket): MarketPrice {
    const known = this.#markets[market.number];
    if (known !== undefined) return known;
    const { exchange, store, onError } = this.#options;
    const kept = this.#kept.get(market.definition.symbol);
    const onHalted = (halted: EngineMarket) => this.#tellHalted(halted);
    const guard = new MarketGuard({ exchange, store, market, kept: kept?.guard, onHalted, onError });
    const entry = new MarketPrice(market, guard, kept?.premiums);
    entry.pinned_e8 = kept?.pinned_e8;
    // A market that had no index may have put off its funding before the restart.
    entry.owesFunding = guard.record !== undefined && market.isFair;
    this.#markets[market.number] = entry;
    return entry;
  }

  #tellHalted({ definition: { symbol } }: EngineMarket): void {
    const { noIndex, guard } = this.report(symbol);
    const minutes = Math.floor((this.#options.clock.now() - (guard?.since_ms ?? 0)) / MINUTE_ms);
    this.#options.onAlarm(`${symbol} is halted: it has had no index for ${minutes} minutes (${noIndex})`);
  }

  #onApplied({ number, command, events }: Applied): void {
    for (const event of events) {
      if (event.kind === "fund_capped") this.#markets[event.market]?.guard.onCapped(number);
    }
    if (command.kind !== "set_market_status" || events.some((event) => event.kind === "refused")) return;
    const entry = this.#markets[command.market];
    if (entry === undefined) return;
    entry.guard.onStatus(number, command.status);
    // Positions are judged with the first price after a halt, even if the price has not moved.
    if (command.status !== HALTED) entry.submitted_ms = Number.NEGATIVE_INFINITY;
  }
}
