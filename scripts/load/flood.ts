import { setTimeout as pause } from "node:timers/promises";
import { type Bot, codeOf } from "./bot.ts";
import type { FloodReport } from "./fleet-protocol.ts";
import { Histogram } from "./histogram.ts";
import { HttpPool } from "./http-pool.ts";

/** A signed batch is repeated for this long, so that signing does not slow the flood down. */
const SIGN_ANEW_ms = 10_000;
const BATCHES_PER_BOT = 4;
const MAX_DRAIN_ms = 60_000;
/** Sends batches of orders over many connections, each without pauses: more than the exchange can process. */
export class Flood {
  readonly #pool: HttpPool;
  readonly #bots: readonly Bot[];
  readonly #connections: number;
  readonly #latencies = new Histogram();
  readonly #refusals = new Map<string, number>();
  #batches: string[] = [];
  #signed_ms = Number.NEGATIVE_INFINITY;
  #next = 0;
  #requests = 0;
  #accepted = 0;
  #isEnding = false;

  constructor(baseUrl: string, bots: readonly Bot[], connections: number) {
    this.#pool = new HttpPool(baseUrl, connections);
    this.#bots = bots;
    this.#connections = connections;
  }

  /** Connects all before the first one sends. */
  async begin(): Promise<void> {
    await this.#pool.connect();
    for (let connection = 0; connection < this.#connections; connection += 1) this.#send();
  }

  async end(): Promise<FloodReport> {
    this.#isEnding = true;
    const until_ms = performance.now() + MAX_DRAIN_ms;
    while (this.#pool.underWay > 0 && performance.now() < until_ms) await pause(10);
    this.#pool.close();
    return {
      requests: this.#requests,
      accepted: this.#accepted,
      refusals: Object.fromEntries(this.#refusals),
      latencies: this.#latencies.toRecord(),
    };
  }

  #send(): void {
    if (this.#isEnding) return;
    const sent_ms = performance.now();
    this.#pool.send(this.#batch(), (status, body) => {
      this.#requests += 1;
      const isTaken = this.#count(status, body);
      if (isTaken) this.#latencies.add_ms(performance.now() - sent_ms);
      this.#send();
    });
  }

  #batch(): string {
    const now_ms = performance.now();
    if (now_ms - this.#signed_ms > SIGN_ANEW_ms) {
      this.#batches = this.#bots.flatMap((bot) => Array.from({ length: BATCHES_PER_BOT }, () => bot.idleBatch()));
      this.#signed_ms = now_ms;
    }
    this.#next = (this.#next + 1) % this.#batches.length;
    return this.#batches[this.#next]!;
  }

  /** Counts by element; if all of a batch are refused for one reason, the request is. True if any was accepted. */
  #count(status: number, body: string): boolean {
    if (status !== 200) {
      this.#refuse(codeOf(status, body), 5);
      return false;
    }
    const accepted = body.split('"orderId":').length - 1;
    this.#accepted += accepted;
    for (const [, code] of body.matchAll(/"code":(-\d+)/g)) this.#refuse(code!, 1);
    return accepted > 0;
  }

  #refuse(code: string, elements: number): void {
    this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + elements);
  }
}
