import type { Timers } from "../prices/timers.ts";
import { FapiRefusal } from "./fapi-client.ts";

/** Something that acts on its own account, step by step. */
export interface Bot {
  readonly name: string;
  step(): Promise<void>;
  /** Leaves nothing behind. */
  leave(): Promise<void>;
}

export interface PaceOptions {
  readonly bot: Bot;
  readonly timers: Timers;
  readonly period_ms: number;
  readonly onError: (message: string, error: unknown) => void;
}

/** Steps to sit out after a failure: at first one, then more and more. */
const LONGEST_PAUSE_STEPS = 60;
const TOO_MANY = new Set([418, 429]);

/**
 * Lets a bot take its steps, one at a time, by a timer. Whatever goes wrong, the bot goes on: after a pause, which is as
 * long as the exchange says where it said so. Of failures in a row the first is told.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #stopTimer: () => void;
  #stepping: Promise<void> | undefined;
  #failures = 0;
  #pauseSteps = 0;
  #isStopped = false;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#stopTimer = options.timers.every(options.period_ms, () => void this.step());
  }

  /** Never rejects. */
  step(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    if (this.#stepping !== undefined) return this.#stepping;
    if (this.#pauseSteps > 0) {
      this.#pauseSteps -= 1;
      return Promise.resolve();
    }
    this.#stepping = this.#take().finally(() => {
      this.#stepping = undefined;
    });
    return this.#stepping;
  }

  /** Resolves when the step under way is over. Never rejects. */
  settled(): Promise<void> {
    return this.#stepping ?? Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#stepping;
    const { bot, onError } = this.#options;
    await bot.leave().catch((error) => onError(`${bot.name} could not leave`, error));
  }

  async #take(): Promise<void> {
    const { bot, period_ms, onError } = this.#options;
    try {
      await bot.step();
      this.#failures = 0;
    } catch (error) {
      if (this.#failures === 0) onError(`${bot.name} has failed`, error);
      this.#failures += 1;
      const own = Math.min(2 ** Math.min(this.#failures, 10), LONGEST_PAUSE_STEPS);
      const isTold = error instanceof FapiRefusal && TOO_MANY.has(error.status);
      this.#pauseSteps = isTold ? Math.max(own, Math.ceil((error.retryAfter_s * 1_000) / period_ms)) : own;
    }
  }
}
