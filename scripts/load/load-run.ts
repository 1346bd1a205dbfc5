import { setTimeout as pause } from "node:timers/promises";
import type { LoadRequest } from "./arguments.ts";
import { Fleet } from "./fleet.ts";
import { type Health, lookAt } from "./health.ts";
import { Histogram } from "./histogram.ts";
import { answersCheck, bookChecks, exemptCheck } from "./load-checks.ts";
import { healthWords, heldFigures, ORDERS_PER_BATCH, overloadFigures } from "./load-figures.ts";
import type { Progress } from "./progress.ts";
import type { Line } from "./report.ts";
import { Target } from "./target.ts";
import { type Check, calmSince, KneeSearch, tooMuch } from "./verdicts.ts";
import { cores, count, mib, ms } from "./words.ts";

/** The duration of the parts, and the size of the flood. */
interface Pace {
  readonly warmUp_s: number;
  readonly step_s: number;
  readonly firstRate: number;
  readonly maxSteps: number;
  readonly overload_s: number;
  readonly maxRecovery_s: number;
  readonly lookEvery_s: number;
  readonly line_s: number;
  readonly maxCommandsWaiting: number | undefined;
}

const FULL: Pace = {
  warmUp_s: 10,
  step_s: 8,
  firstRate: 400,
  maxSteps: 14,
  overload_s: 30,
  maxRecovery_s: 120,
  lookEvery_s: 5,
  line_s: 60,
  maxCommandsWaiting: undefined,
};
const QUICK: Pace = {
  warmUp_s: 2,
  step_s: 2,
  firstRate: 200,
  maxSteps: 3,
  overload_s: 4,
  maxRecovery_s: 15,
  lookEvery_s: 2,
  line_s: 5,
  maxCommandsWaiting: 500,
};

const DEFAULT_MAX_WAITING = 10_000;
const HELD_SHARE = 0.7;
/** Commands in flight, as a multiple of those that may wait. */
const OVERLOAD = 3;
const PROBE_RATE = 60;
const MAX_CATCH_UP_s = 900;
const EMPTY_QUEUE = 100;

export interface LoadOutcome {
  readonly lines: readonly Line[];
  readonly checks: readonly Check[];
}

/** The run with bots: accounts, the knee, a constant rate, overload, recovery, and the audit at the end. */
export class LoadRun {
  readonly #request: LoadRequest;
  readonly #progress: Progress;
  readonly #pace: Pace;
  readonly #target: Target;
  readonly #fleet: Fleet;
  readonly #lines: Line[] = [];
  readonly #checks: Check[] = [];

  private constructor(request: LoadRequest, progress: Progress, pace: Pace, target: Target, fleet: Fleet) {
    this.#request = request;
    this.#progress = progress;
    this.#pace = pace;
    this.#target = target;
    this.#fleet = fleet;
  }

  static async carryOut(request: LoadRequest, progress: Progress): Promise<LoadOutcome> {
    const pace = request.isQuick ? QUICK : FULL;
    const { url, database } = request;
    const target = await Target.open({ url, database, maxCommandsWaiting: pace.maxCommandsWaiting });
    try {
      const markets = await target.holdPrices();
      const bots = await target.openAccounts(request.bots, (opened) => progress.show(`${opened} accounts`));
      const fleet = await Fleet.open({ baseUrl: target.baseUrl, bots, markets, workers: request.workers });
      try {
        const run = new LoadRun(request, progress, pace, target, fleet);
        await run.#all();
        return { lines: run.#lines, checks: run.#checks };
      } finally {
        await fleet.close();
      }
    } finally {
      await target.close();
    }
  }

  async #all(): Promise<void> {
    const { rate, isFinding, minutes, bots, workers } = this.#request;
    this.#progress.line(`${bots} accounts with keys and deposits, ${workers} processes of the fleet`);
    await this.#fleet.run({ rate: this.#pace.firstRate, mix: "hold", seconds: this.#pace.warmUp_s });
    const knee = isFinding ? await this.#find() : undefined;
    const held = rate ?? Math.max(this.#pace.firstRate / 2, Math.round(knee! * HELD_SHARE));
    const { p99_ms, heap_bytes } = await this.#hold(held, Math.max(1, Math.round(minutes * 60)));
    const flooded_ms = await this.#overload();
    await this.#recover(held, p99_ms, flooded_ms, heap_bytes);
    await this.#catchUp();
    await this.#auditBooks();
  }

  #say(part: string, what: string, figure: string): void {
    this.#lines.push({ part, what, figure });
  }

  /** Raises the rate until it is too high, then bisects. */
  async #find(): Promise<number> {
    const { bound_ms } = this.#request;
    const { step_s, firstRate, maxSteps } = this.#pace;
    const search = new KneeSearch(firstRate, maxSteps);
    for (let rate = search.next; rate !== undefined; rate = search.next) {
      const tally = await this.#fleet.run({ rate, mix: "hold", seconds: step_s });
      const reason = tooMuch(tally, bound_ms);
      search.report(rate, reason !== undefined);
      const all = tally.latencies();
      const health = await lookAt(this.#target.baseUrl);
      const figures = `p50 ${ms(all.quantile_ms(0.5))}, p99 ${ms(all.quantile_ms(0.99))}, fleet ${cores(tally.fleetCores)} cores`;
      const lag = `tables ${count(health.lag_commands)} commands behind`;
      this.#progress.line(
        `find  ${count(rate)}/s: ${figures}, ${lag}${reason === undefined ? "" : `, too much: ${reason}`}`,
      );
      await this.#untilQuiet();
    }
    const found = search.knee === 0 ? `below ${count(firstRate)} requests/s` : `${count(search.knee)} requests/s`;
    this.#say("find", `knee: p99 within ${bound_ms} ms, nothing refused`, found);
    return search.knee;
  }

  /** Waits until the previous step's work is done, so that the next step does not measure it. */
  async #untilQuiet(): Promise<void> {
    for (let second = 0; second < this.#pace.maxRecovery_s; second += 1) {
      const { commandsWaiting, lag_commands } = await lookAt(this.#target.baseUrl);
      if (commandsWaiting < EMPTY_QUEUE && lag_commands < EMPTY_QUEUE) return;
      await pause(1_000);
    }
  }

  async #hold(rate: number, seconds: number) {
    const { lookEvery_s, line_s } = this.#pace;
    const healths: Health[] = [await lookAt(this.#target.baseUrl)];
    const loopDelays = new Histogram();
    let span = new Histogram();
    let nextLook_s = lookEvery_s;
    let nextLine_s = line_s;
    const tally = await this.#fleet.run({
      rate,
      mix: "hold",
      seconds,
      onWindow: async (window, second) => {
        span.merge(window.latencies());
        if (second >= nextLook_s) {
          nextLook_s = second + lookEvery_s;
          const health = await lookAt(this.#target.baseUrl);
          healths.push(health);
          loopDelays.add_ms(health.loopDelayP99_ms);
          this.#progress.show(`hold  ${second} of ${seconds} s: ${healthWords(health)}`);
        }
        if (second >= nextLine_s) {
          nextLine_s = second + line_s;
          const figures = `p50 ${ms(span.quantile_ms(0.5))}, p99 ${ms(span.quantile_ms(0.99))}`;
          this.#progress.line(`hold  after ${second} s: ${figures}, ${healthWords(healths.at(-1)!)}`);
          span = new Histogram();
        }
        return false;
      },
    });
    healths.push(await lookAt(this.#target.baseUrl));
    for (const [what, figure] of heldFigures({ rate, seconds, tally, healths, loopDelays }))
      this.#say("hold", what, figure);
    this.#checks.push(answersCheck(tally));
    const memory = await this.#target.memory();
    if (memory !== undefined) this.#say("hold", "heap after a collection", mib(memory.heapUsed));
    return { p99_ms: tally.latencies().quantile_ms(0.99), heap_bytes: memory?.heapUsed };
  }

  /** Sends more than may wait. Returns the time of the last request. */
  async #overload(): Promise<number> {
    const { maxCommandsWaiting, overload_s } = this.#pace;
    const limit = maxCommandsWaiting ?? DEFAULT_MAX_WAITING;
    const isLowered = this.#target.isOwn && maxCommandsWaiting !== undefined;
    const connections = Math.ceil((limit * OVERLOAD) / ORDERS_PER_BATCH);
    const before = await lookAt(this.#target.baseUrl);
    let maxWaiting = 0;
    let looking: Promise<void> | undefined;
    await this.#fleet.flood(connections);
    const tally = await this.#fleet.run({
      rate: PROBE_RATE,
      mix: "probe",
      seconds: overload_s,
      onWindow: (_, second) => {
        // Not awaited, because an overloaded server answers slowly.
        looking ??= lookAt(this.#target.baseUrl).then((health) => {
          looking = undefined;
          maxWaiting = Math.max(maxWaiting, health.commandsWaiting);
          this.#progress.show(`overload  ${second} of ${overload_s} s: ${healthWords(health)}`);
        });
        return false;
      },
    });
    const ended_ms = performance.now();
    const flood = await this.#fleet.endFlood();
    const drained_s = (performance.now() - ended_ms) / 1_000;
    await looking;
    const after = await lookAt(this.#target.baseUrl);
    const overload = { limit, isLowered, connections, maxWaiting, drained_s, before, after, flood, tally };
    for (const [what, figure] of overloadFigures(overload)) this.#say("overload", what, figure);
    this.#checks.push(exemptCheck(tally));
    return ended_ms;
  }

  async #recover(rate: number, held_ms: number, flooded_ms: number, heap_bytes: number | undefined): Promise<void> {
    const say = (what: string, figure: string) => this.#say("recovery", what, figure);
    const bound_ms = Math.max(held_ms * 1.5, held_ms + 5);
    const offset_s = (performance.now() - flooded_ms) / 1_000;
    const p99s_ms: number[] = [];
    let empty_s: number | undefined;
    let caughtUp_s: number | undefined;
    await this.#fleet.run({
      rate,
      mix: "hold",
      seconds: this.#pace.maxRecovery_s,
      onWindow: async (window) => {
        p99s_ms.push(window.latencies().quantile_ms(0.99));
        const health = await lookAt(this.#target.baseUrl);
        const since_s = (performance.now() - flooded_ms) / 1_000;
        if (health.commandsWaiting <= EMPTY_QUEUE) empty_s ??= since_s;
        if (health.lag_s < 1) caughtUp_s ??= since_s;
        this.#progress.show(`recovery  p99 ${ms(p99s_ms.at(-1)!)}, ${healthWords(health)}`);
        return calmSince(p99s_ms, bound_ms) !== undefined && empty_s !== undefined && caughtUp_s !== undefined;
      },
    });
    const tooLong = `not within ${this.#pace.maxRecovery_s} s`;
    const calm = calmSince(p99s_ms, bound_ms);
    say(
      `p99 at ${count(rate)}/s within ${ms(bound_ms)} again`,
      calm === undefined ? tooLong : `after ${(offset_s + calm).toFixed(1)} s`,
    );
    say("queue empty", empty_s === undefined ? tooLong : `after ${empty_s.toFixed(1)} s`);
    say("tables less than a second behind", caughtUp_s === undefined ? tooLong : `after ${caughtUp_s.toFixed(1)} s`);
    const memory = await this.#target.memory();
    if (memory === undefined || heap_bytes === undefined) return;
    say("heap after a collection", `${mib(memory.heapUsed)}; ${mib(heap_bytes)} before the overload`);
    say("resident", mib(memory.rss));
  }

  /** Waits for the tables, because the history is complete only then. */
  async #catchUp(): Promise<void> {
    const begun_ms = performance.now();
    for (let second = 0; second < MAX_CATCH_UP_s; second += 1) {
      const { lag_commands } = await lookAt(this.#target.baseUrl);
      if (lag_commands === 0) {
        this.#say(
          "books",
          "tables complete",
          `${((performance.now() - begun_ms) / 1_000).toFixed(1)} s after the last request`,
        );
        return;
      }
      this.#progress.show(`tables ${count(lag_commands)} commands behind`);
      await pause(1_000);
    }
    throw new Error(`the tables did not catch up within ${MAX_CATCH_UP_s} s`);
  }

  async #auditBooks(): Promise<void> {
    this.#progress.show("looking through the books");
    const report = await this.#fleet.audit();
    const invariants = await this.#target.invariants();
    this.#checks.push(...bookChecks(report, invariants));
  }
}
