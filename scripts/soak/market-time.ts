import { setTimeout as pause } from "node:timers/promises";

/** How much platform time passes with one move of the clock: the interval of prices. */
const STEP_ms = 1_000;

async function post(url: string, body: object): Promise<{ readonly now_ms: number }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as { now_ms: number };
}

/**
 * Makes a server's time pass faster than real time, by moving its clock (RUN-6) forward a second at a time. Meanwhile
 * prices walk, jobs run when they are due, and the bots, which use that clock, act as often as in a real hour. A server
 * that is too slow gets more real time.
 */
export class MarketTime {
  readonly #url: string;
  readonly #speed: number;
  readonly #begun_real_ms = performance.now();
  #begun_ms = 0;
  #now_ms = 0;
  #isStopped = false;
  #moving: Promise<void> | undefined;

  constructor(baseUrl: string, speed: number) {
    this.#url = `${baseUrl}/api/v1/dev/clock`;
    this.#speed = speed;
  }

  get passed_hours(): number {
    return (this.#now_ms - this.#begun_ms) / 3_600_000;
  }

  /** The measured speed relative to real time. */
  get speed(): number {
    return (this.#now_ms - this.#begun_ms) / (performance.now() - this.#begun_real_ms);
  }

  async start(onFailure: (error: unknown) => void): Promise<void> {
    this.#begun_ms = (await post(this.#url, { advance_ms: 0 })).now_ms;
    this.#now_ms = this.#begun_ms;
    this.#moving = this.#move().catch(onFailure);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#moving;
  }

  async #move(): Promise<void> {
    const period_ms = STEP_ms / this.#speed;
    while (!this.#isStopped) {
      const begun_ms = performance.now();
      // The clock also runs by itself, so the time that has passed is subtracted.
      const { now_ms } = await post(this.#url, { advance_ms: Math.max(0, Math.round(STEP_ms - period_ms)) });
      this.#now_ms = now_ms;
      await pause(Math.max(0, period_ms - (performance.now() - begun_ms)));
    }
  }
}
