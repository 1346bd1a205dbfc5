import type { FapiInterval } from "@bourse/api/client";
import { api } from "../../../session/session.ts";
import { onNextFrame } from "../../../streams/frame-store.ts";
import { publicFeed } from "../../../streams/page-stream.ts";
import type { PublicPush } from "../../../streams/public-feed.ts";
import { type Candle, candleOfRow, candleOfStream, mergeCandles, missingBetween, type Range } from "./candles.ts";

export interface KlineListener {
  /** At most once per frame: everything there is, and from where on it has changed since the last time. */
  onCandles(candles: readonly Candle[], changedFrom: number): void;
  onFailure(error: unknown): void;
}

const PAGE = 500;
const MAX_PER_REQUEST = 1_500;
/** Scrolling further back than this ends. */
const MAX_CANDLES = 20_000;

/** The candles of one market and interval: read, kept current, completed after a break, older ones on demand. */
export class KlineFeed {
  readonly #symbol: string;
  readonly #interval: FapiInterval;
  readonly #listener: KlineListener;
  readonly #ending = new AbortController();
  #candles: readonly Candle[] = [];
  #changedFrom = Number.POSITIVE_INFINITY;
  #isOlderUnderWay = false;
  #hasOlder = true;
  #leave: (() => void) | undefined;

  constructor(symbol: string, interval: FapiInterval, listener: KlineListener) {
    this.#symbol = symbol;
    this.#interval = interval;
    this.#listener = listener;
  }

  start(): void {
    const { signal } = this.#ending;
    void this.#load({}, PAGE).then((isLoaded) => {
      if (!isLoaded || signal.aborted) return;
      // Followed from here on: the snapshot overlaps with what was read, or shows what is missing.
      const address = { channel: "kline", symbol: this.#symbol, interval: this.#interval } as const;
      this.#leave = publicFeed.follow(address, (push) => this.#onPush(push));
    });
  }

  stop(): void {
    this.#ending.abort();
    this.#leave?.();
  }

  /** One page further into the past; nothing where that is under way or there is no more. */
  async loadOlder(): Promise<void> {
    const first = this.#candles[0];
    if (first === undefined || this.#isOlderUnderWay || !this.#hasOlder) return;
    this.#isOlderUnderWay = true;
    const before = this.#candles.length;
    const isLoaded = await this.#load({ endTime: first.open_ms - 1 }, PAGE);
    this.#isOlderUnderWay = false;
    if (isLoaded) this.#hasOlder = this.#candles.length > before && this.#candles.length < MAX_CANDLES;
  }

  async #load(range: Partial<Range>, limit: number): Promise<boolean> {
    const { signal } = this.#ending;
    try {
      const rows = await api.market.klines(this.#symbol, this.#interval, { ...range, limit }, { signal });
      this.#merge(rows.map(candleOfRow));
      return true;
    } catch (error) {
      if (!signal.aborted) this.#listener.onFailure(error);
      return false;
    }
  }

  #onPush(push: PublicPush): void {
    if (push.channel !== "kline") return;
    const arrived = push.data.map(candleOfStream);
    const missing = missingBetween(this.#candles, arrived, this.#interval);
    this.#merge(arrived);
    if (missing !== undefined) void this.#load(missing, MAX_PER_REQUEST);
  }

  #merge(arrived: readonly Candle[]): void {
    const { candles, changedFrom } = mergeCandles(this.#candles, arrived);
    this.#candles = candles;
    this.#changedFrom = Math.min(this.#changedFrom, changedFrom);
    onNextFrame(this.#show);
  }

  #show = (): void => {
    if (this.#ending.signal.aborted) return;
    const changedFrom = this.#changedFrom;
    this.#changedFrom = Number.POSITIVE_INFINITY;
    this.#listener.onCandles(this.#candles, changedFrom);
  };
}
