import type { Timers } from "../../exchange/index.ts";
import { pauseAfter } from "../../kernel/retry.ts";
import { FapiRefusal } from "./fapi-client.ts";

/** A program that trades step by step. */
export interface Bot {
  readonly name: string;
  step(): Promise<void>;
  /** Cancels its resting orders. */
  leave(): Promise<void>;
}

export interface PaceOptions {
  readonly bot: Bot;
  readonly timers: Timers;
  readonly period_ms: number;
  readonly onError: (message: string, error: unknown) => void;
}

/** The number of steps to skip after a failure: one at first, then more. */
const MAX_PAUSE_STEPS = 60;
const TOO_MANY = new Set([418, 429]);

/**
 * Runs a bot's steps one at a time, by a timer. After a failure the bot continues after a pause, whose length the exchange may
 * state. Of consecutive failures the first is reported.
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

  /** Resolves when the current step is over. Never rejects. */
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
      const own = pauseAfter(this.#failures, { first: 2, max: MAX_PAUSE_STEPS });
      const isTold = error instanceof FapiRefusal && TOO_MANY.has(error.status);
      this.#pauseSteps = isTold ? Math.max(own, Math.ceil((error.retryAfter_s * 1_000) / period_ms)) : own;
    }
  }
}
