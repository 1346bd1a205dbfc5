import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Bans } from "./bans.ts";
import type { HttpSettings } from "./http-settings.ts";

/** The state of a counter: whether it is within its budget, how much is used, and when the window ends. */
export interface Budget {
  readonly isWithin: boolean;
  readonly used: number;
  readonly windowLeft_ms: number;
  /** Taken from the reserve, because the budget is used up. */
  readonly isFromReserve: boolean;
}

/** Every budget has an additional reserve of a fifth for cancels and reduce-only orders, so that positions can always be closed. */
const PARTS_PER_RESERVE = 5;

/** Makes a counter with this window; `what` distinguishes counters of the same length. */
export type MakeCounter = (window_s: number, what: string) => RateLimiterAbstract;

/** The counters have no limit of their own: `Limiter` compares with the budget. */
export const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const inMemory: MakeCounter = (window_s) => new RateLimiterMemory({ points: UNBOUNDED, duration: window_s });

export class Limiter {
  readonly #limit: number;
  readonly #reserve: number;
  readonly #memory: RateLimiterAbstract;
  readonly #reserved: RateLimiterAbstract;

  constructor(limit: number, window_s: number, makeCounter: MakeCounter = inMemory) {
    this.#limit = limit;
    this.#reserve = Math.ceil(limit / PARTS_PER_RESERVE);
    this.#memory = makeCounter(window_s, "budget");
    this.#reserved = makeCounter(window_s, "reserve");
  }

  /**
   * Counts first and judges afterwards, so refused requests count as well. The reserve is counted separately, so that requests
   * beyond the budget do not use it up.
   */
  async take(key: string, points: number, isReserved = false): Promise<Budget> {
    const budget = this.#judge(await this.#memory.consume(key, points));
    return budget.isWithin || !isReserved ? budget : this.takeReserve(key, points, budget);
  }

  /** The budget alone, for hooks that run on every request; avoids promises of its own. */
  takeThen(key: string, points: number, proceed: (budget: Budget) => void, fail: (error: Error) => void): void {
    this.#memory.consume(key, points).then((outcome) => proceed(this.#judge(outcome)), fail);
  }

  /** For requests beyond their budget. The reserve is renewed together with the budget. */
  async takeReserve(key: string, points: number, budget: Budget): Promise<Budget> {
    const customDuration = Math.max(1, budget.windowLeft_ms) / 1000;
    const { consumedPoints } = await this.#reserved.consume(key, points, { customDuration });
    return { ...budget, isWithin: consumedPoints <= this.#reserve, isFromReserve: true };
  }

  #judge({ consumedPoints, msBeforeNext }: RateLimiterRes): Budget {
    const isWithin = consumedPoints <= this.#limit;
    return { isWithin, used: consumedPoints, windowLeft_ms: msBeforeNext, isFromReserve: false };
  }

  async peek(key: string): Promise<Budget> {
    const outcome = (await this.#memory.get(key)) ?? new RateLimiterRes(0, 0, 0, true);
    return {
      isWithin: outcome.consumedPoints < this.#limit,
      used: outcome.consumedPoints,
      windowLeft_ms: outcome.msBeforeNext,
      isFromReserve: false,
    };
  }

  async giveBack(key: string, points: number, isFromReserve = false): Promise<void> {
    await this.#memory.reward(key, points);
    if (isFromReserve) await this.#reserved.reward(key, points);
  }
}

type LimitSettings = Pick<
  HttpSettings,
  "rateLimitWeight1m" | "rateLimitOrders10s" | "rateLimitOrders1m" | "rateLimitJsonPerS" | "rateLimitLogin1m"
>;

/** How orders are counted if several processes accept them. */
export interface SharedCounts {
  /** Counts for all processes; without it each process allows its part. */
  readonly makeCounter?: MakeCounter;
  readonly processes: number;
}

const ALONE: SharedCounts = { processes: 1 };

/** SEC-10: every budget of the platform, on real time. */
export function createLimits(settings: LimitSettings, now?: () => number, shared = ALONE) {
  const parts = shared.makeCounter === undefined ? shared.processes : 1;
  const orders = (limit: number, window_s: number) =>
    new Limiter(Math.max(1, Math.floor(limit / parts)), window_s, shared.makeCounter);
  return {
    bans: new Bans(now),
    /** Weight of /fapi requests, per IP. */
    weight: new Limiter(settings.rateLimitWeight1m, 60),
    /** Orders, per account. */
    orders10s: orders(settings.rateLimitOrders10s, 10),
    orders1m: orders(settings.rateLimitOrders1m, 60),
    /** Requests to the JSON areas, per IP and per wallet. */
    jsonByAddress: new Limiter(settings.rateLimitJsonPerS, 1),
    jsonByWallet: new Limiter(Math.max(1, Math.floor((settings.rateLimitJsonPerS * 2) / 5)), 1),
    /** Failed sign-ins, per IP. */
    failedLogins: new Limiter(settings.rateLimitLogin1m, 60),
  };
}

export type Limits = ReturnType<typeof createLimits>;
