import { setTimeout as pause } from "node:timers/promises";
import { type AuditReport, joinAudits } from "./audit.ts";
import type { BotPlan, MixName } from "./bot.ts";
import type { FleetOrder, FleetReport, FloodReport } from "./fleet-protocol.ts";
import { Histogram } from "./histogram.ts";
import type { LoadMarket } from "./markets.ts";
import { Tally } from "./tally.ts";
import { WorkerProcess } from "./worker-process.ts";

export interface FleetOptions {
  readonly baseUrl: string;
  readonly bots: readonly BotPlan[];
  readonly markets: readonly LoadMarket[];
  readonly workers: number;
}

export interface RunOptions {
  /** Requests per second, of all processes together. */
  readonly rate: number;
  readonly mix: MixName;
  readonly seconds: number;
  /** Called about every second with the results since the last call; true ends the run early. */
  readonly onWindow?: (window: Tally, second: number) => boolean | Promise<boolean>;
}

const CONNECTIONS_PER_BOT = 2;
const WINDOW_ms = 1_000;

const isAnswer = (report: FleetReport) => report.type !== "window";

/** All bots, distributed over processes. */
export class Fleet {
  readonly #workers: readonly WorkerProcess<FleetOrder, FleetReport>[];
  #window = new Tally();
  #seed = 1;

  private constructor(workers: number) {
    const onWindow = (report: FleetReport) => {
      if (report.type === "window") this.#window.add(report.tally);
    };
    this.#workers = Array.from(
      { length: workers },
      () => new WorkerProcess<FleetOrder, FleetReport>("fleet-worker.ts", isAnswer, onWindow),
    );
  }

  static async open({ baseUrl, bots, markets, workers }: FleetOptions): Promise<Fleet> {
    const fleet = new Fleet(Math.min(workers, bots.length));
    await fleet.#askAll((place, count) => {
      const own = bots.filter((_, number) => number % count === place);
      return { type: "open", baseUrl, bots: own, markets, connections: own.length * CONNECTIONS_PER_BOT };
    });
    return fleet;
  }

  /** Offers a rate for a number of seconds, then waits for the answers. */
  async run({ rate, mix, seconds, onWindow }: RunOptions): Promise<Tally> {
    const total = new Tally();
    this.#window = new Tally();
    await this.#askAll((_, count) => ({ type: "begin", rate: rate / count, mix, seed: this.#seed++ }));
    const begun_ms = performance.now();
    for (let second = 0; second < seconds; ) {
      // By the clock, because the callback may take longer than a second.
      const passed = Math.floor((performance.now() - begun_ms) / WINDOW_ms);
      second = Math.min(seconds, Math.max(second, passed) + 1);
      await pause(Math.max(0, begun_ms + second * WINDOW_ms - performance.now()));
      for (const worker of this.#workers) worker.throwIfFailed();
      const window = this.#takeWindow();
      total.add(window.toRecord());
      if ((await onWindow?.(window, second)) === true) break;
    }
    for (const report of await this.#askAll(() => ({ type: "end" }))) {
      if (report.type === "ended") total.add(report.tally);
    }
    total.add(this.#takeWindow().toRecord());
    return total;
  }

  async flood(connections: number): Promise<void> {
    await this.#askAll((_, count) => ({ type: "flood", connections: Math.ceil(connections / count) }));
  }

  async endFlood(): Promise<FloodReport> {
    const latencies = new Histogram();
    const refusals: Record<string, number> = {};
    let [requests, accepted] = [0, 0];
    for (const report of await this.#askAll(() => ({ type: "endFlood" }))) {
      if (report.type !== "floodEnded") continue;
      requests += report.flood.requests;
      accepted += report.flood.accepted;
      latencies.addRecord(report.flood.latencies);
      for (const [code, times] of Object.entries(report.flood.refusals)) {
        refusals[code] = (refusals[code] ?? 0) + times;
      }
    }
    return { requests, accepted, refusals, latencies: latencies.toRecord() };
  }

  async audit(): Promise<AuditReport> {
    const reports = await this.#askAll(() => ({ type: "audit" }));
    return joinAudits(reports.flatMap((report) => (report.type === "audited" ? [report.audit] : [])));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  #takeWindow(): Tally {
    const window = this.#window;
    this.#window = new Tally();
    return window;
  }

  #askAll(orderOf: (place: number, count: number) => FleetOrder): Promise<FleetReport[]> {
    return Promise.all(this.#workers.map((worker, place) => worker.ask(orderOf(place, this.#workers.length))));
  }
}
