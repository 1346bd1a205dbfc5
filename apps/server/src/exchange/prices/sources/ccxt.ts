import type { Clock } from "../../../kernel/clock.ts";
import { parseSize } from "../../../kernel/units.ts";
import type { Timers } from "../timers.ts";
import type { PriceSource, SourcePrice } from "./price-source.ts";

/** The part of the library's exchanges that is used. */
export interface CcxtExchange {
  fetchTicker(symbol: string): Promise<{ readonly last?: number | undefined }>;
  close?(): Promise<unknown>;
}

export type CcxtModule = Readonly<Record<string, unknown>>;
type CcxtConstructor = new (options: object) => CcxtExchange;

export interface CcxtOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  /** The markets to request; called for every round. */
  readonly symbols: () => readonly string[];
  /** Receives the first error of a series. */
  readonly onError: (message: string, error: unknown) => void;
  readonly load?: () => Promise<CcxtModule>;
}

const POLL_MS = 2_000;
const TIMEOUT_MS = 5_000;
const QUOTE = "USDT";

/** The library is large and most installations do not need it, so it is loaded only here. */
async function loadCcxt(): Promise<CcxtModule> {
  // The variable keeps the compiler from reading the library's types, which takes seconds.
  const name: string = "ccxt";
  return (await import(name)) as CcxtModule;
}

/** The spot market at other exchanges, from which the index is made: BTCUSDT becomes BTC/USDT. */
export function spotSymbol(symbol: string): string {
  return symbol.endsWith(QUOTE) ? `${symbol.slice(0, -QUOTE.length)}/${QUOTE}` : symbol;
}

/** Converts a number of the library to 1e-8; undefined if it is not a price. */
export function sizeOfNumber(price: unknown): number | undefined {
  if (typeof price !== "number" || !Number.isFinite(price) || price <= 0) return undefined;
  const read = parseSize(price.toFixed(8));
  return read === undefined || read.value <= 0 ? undefined : read.value;
}

/** The last spot prices of another exchange, requested every two seconds. */
export class CcxtSource implements PriceSource {
  readonly name: string;
  readonly #id: string;
  readonly #options: CcxtOptions;
  readonly #prices = new Map<string, SourcePrice>();
  readonly #failing = new Set<string>();
  #exchange: CcxtExchange | undefined;
  #polling: Promise<void> | undefined;
  #stopTimer: (() => void) | undefined;
  #isStopped = false;

  constructor(id: string, options: CcxtOptions) {
    this.name = `ccxt:${id}`;
    this.#id = id;
    this.#options = options;
  }

  latest(symbol: string): SourcePrice | undefined {
    return this.#prices.get(symbol);
  }

  async start(): Promise<void> {
    const library = await (this.#options.load ?? loadCcxt)();
    const Exchange = library[this.#id];
    if (typeof Exchange !== "function") throw new Error(`ccxt knows no exchange called ${this.#id}`);
    this.#exchange = new (Exchange as CcxtConstructor)({ enableRateLimit: true, timeout: TIMEOUT_MS });
    this.#stopTimer = this.#options.timers.every(POLL_MS, () => void this.poll());
    await this.poll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer?.();
    await this.#polling;
    await this.#exchange?.close?.();
  }

  /** One round; concurrent calls share it. Never rejects. */
  poll(): Promise<void> {
    this.#polling ??= this.#pollAll().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  async #pollAll(): Promise<void> {
    await Promise.all(this.#options.symbols().map((symbol) => this.#pollOne(symbol)));
  }

  async #pollOne(symbol: string): Promise<void> {
    const { clock, onError } = this.#options;
    try {
      const ticker = await this.#exchange?.fetchTicker(spotSymbol(symbol));
      const price_e8 = sizeOfNumber(ticker?.last);
      if (price_e8 === undefined) throw new Error("the answer has no price");
      if (this.#isStopped) return;
      this.#prices.set(symbol, { price_e8, time_ms: clock.now() });
      this.#failing.delete(symbol);
    } catch (error) {
      if (this.#failing.has(symbol) || this.#isStopped) return;
      this.#failing.add(symbol);
      onError(`${this.name} has no price of ${symbol}`, error);
    }
  }
}
