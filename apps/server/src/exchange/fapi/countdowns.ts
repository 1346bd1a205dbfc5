import type { Clock } from "../../kernel/clock.ts";

export interface CountdownsOptions {
  readonly clock: Clock;
  /** Cancels the wallet's open orders in the market; a wallet without an account has none. */
  cancelAll(address: string, market: number): Promise<void>;
  /** Receives the error of a failed cancel; the next tick tries it again. */
  onError(error: unknown): void;
}

interface Countdown {
  readonly address: string;
  readonly market: number;
  readonly due_ms: number;
}

const TICK_ms = 100;

/**
 * `countdownCancelAll`: cancels the open orders of a wallet in a market unless its client repeats the call in time.
 * Countdowns are in memory only and end with the process; clients renew them every few seconds.
 */
export class Countdowns {
  readonly #options: CountdownsOptions;
  readonly #running = new Map<string, Countdown>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CountdownsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#running.size;
  }

  /** Starts or restarts a countdown; 0 stops it. */
  set(address: string, market: number, after_ms: number): void {
    const key = `${address}:${market}`;
    if (after_ms === 0) this.#running.delete(key);
    else this.#running.set(key, { address, market, due_ms: this.#options.clock.now() + after_ms });
  }

  /** Cancels the orders of all countdowns that are due. */
  async tick(): Promise<void> {
    const now_ms = this.#options.clock.now();
    const due = [...this.#running].filter(([, { due_ms }]) => due_ms <= now_ms);
    await Promise.all(due.map(([key, countdown]) => this.#fire(key, countdown)));
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.tick(), TICK_ms);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #fire(key: string, countdown: Countdown): Promise<void> {
    this.#running.delete(key);
    try {
      await this.#options.cancelAll(countdown.address, countdown.market);
    } catch (error) {
      // Keeps a newer countdown that the client has set meanwhile.
      if (!this.#running.has(key)) this.#running.set(key, countdown);
      this.#options.onError(error);
    }
  }
}
