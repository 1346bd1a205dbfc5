import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Settings } from "../../settings/settings.ts";
import { Bans } from "./bans.ts";

/** A counter's answer: within its budget or not, what was used, and when the window ends. */
export interface Budget {
  readonly isWithin: boolean;
  readonly used: number;
  readonly windowLeft_ms: number;
}

/** Cancels and reduce-only orders may go this much past a budget, so that one can always get out. */
const RESERVED_FIFTH = 1.2;

class Limiter {
  readonly #limit: number;
  readonly #memory: RateLimiterMemory;

  constructor(limit: number, window_s: number) {
    this.#limit = limit;
    // Counted without an own bound: the reserved fifth is judged here.
    this.#memory = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: window_s });
  }

  /** Counts first and judges then: what is refused counts as well. */
  async take(key: string, points: number, isReserved = false): Promise<Budget> {
    return this.#judge(await this.#memory.consume(key, points), isReserved);
  }

  /** The same for hooks that run on every request, without promises of its own. */
  takeThen(key: string, points: number, proceed: (budget: Budget) => void, fail: (error: Error) => void): void {
    this.#memory.consume(key, points).then((outcome) => proceed(this.#judge(outcome, false)), fail);
  }

  #judge({ consumedPoints, msBeforeNext }: RateLimiterRes, isReserved: boolean): Budget {
    const limit = isReserved ? this.#limit * RESERVED_FIFTH : this.#limit;
    return { isWithin: consumedPoints <= limit, used: consumedPoints, windowLeft_ms: msBeforeNext };
  }

  async peek(key: string): Promise<Budget> {
    const outcome = (await this.#memory.get(key)) ?? new RateLimiterRes(0, 0, 0, true);
    return {
      isWithin: outcome.consumedPoints < this.#limit,
      used: outcome.consumedPoints,
      windowLeft_ms: outcome.msBeforeNext,
    };
  }

  async giveBack(key: string, points: number): Promise<void> {
    await this.#memory.reward(key, points);
  }
}

type LimitSettings = Pick<
  Settings,
  "rateLimitWeight1m" | "rateLimitOrders10s" | "rateLimitOrders1m" | "rateLimitJsonPerS" | "rateLimitLogin1m"
>;

/** SEC-10: every budget of the platform, on real time. */
export function createLimits(settings: LimitSettings, now?: () => number) {
  return {
    bans: new Bans(now),
    /** Weight of /fapi requests, per address. */
    weight: new Limiter(settings.rateLimitWeight1m, 60),
    /** Orders, per account. */
    orders10s: new Limiter(settings.rateLimitOrders10s, 10),
    orders1m: new Limiter(settings.rateLimitOrders1m, 60),
    /** Requests to the JSON areas, per address and per wallet. */
    jsonByAddress: new Limiter(settings.rateLimitJsonPerS, 1),
    jsonByWallet: new Limiter(Math.max(1, Math.floor((settings.rateLimitJsonPerS * 2) / 5)), 1),
    /** Failed sign-ins, per address. */
    failedLogins: new Limiter(settings.rateLimitLogin1m, 60),
  };
}

export type Limits = ReturnType<typeof createLimits>;
