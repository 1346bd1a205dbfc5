import type { Clock } from "../clock.ts";
import type { Tx } from "../database/database.ts";
import { pauseAfter } from "../retry.ts";
import type { JobDefinition, JobRunReport, JobState } from "./job.ts";
import { JobTimes } from "./job-times.ts";
import { conflictOf, type JobStore } from "./store.ts";

const MAX_SLEEP_MS = 60_000;
/** After a crash during a jump of the clock no more runs of a job than these are repeated. */
const MAX_UNSAVED_RUNS = 1_000;
const RETRY_ms = { first: 1_000, max: 300_000 };

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly store: JobStore;
  readonly jobs: readonly JobDefinition[];
  /** Called after every run; a failed one has an error. */
  readonly onRun?: (report: JobRunReport, duration_ms: number) => void;
  /** Called if the scheduler cannot store its state; the job is retried later. */
  readonly onBookkeepingError: (jobName: string, error: unknown) => void;
}

/** Runs during a jump of the clock ("in a row") are stored later. */
type Occasion = "scheduled" | "in a row" | "by hand";

/** Runs of one job that are not stored yet. */
interface Unsaved {
  /** The watermark in the database. */
  readonly from_ms: number;
  readonly runs: number;
}

/** Runs that could not be stored. */
interface Unstored {
  readonly entry: Entry;
  readonly runs: number;
  readonly error: string;
}

interface Entry {
  readonly job: JobDefinition;
  readonly times: JobTimes;
  state: JobState;
  unsaved: Unsaved | undefined;
  retryAt_ms: number;
  running: Promise<JobRunReport> | undefined;
}

/** Whether runs must be stored before another job runs; all others can wait for the end of a jump. */
function isStoredBeforeOthers({ job, state, unsaved }: Entry): boolean {
  if (unsaved === undefined) return false;
  const isMoved = unsaved.from_ms === state.watermark_ms;
  const canWait = isMoved || job.isRepeatable === true || job.missed === "latest";
  return !canWait || unsaved.runs >= MAX_UNSAVED_RUNS;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Runs jobs on the platform's own clock (RUN-9); a cron library only computes the next due time. A job never overlaps itself. A
 * failure is stored, shown and retried with growing pauses, and the watermark stays until the work is done.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #entries: Map<string, Entry>;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = true;
  #isAdvancing = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#entries = new Map(
      options.jobs.map((job) => [
        job.name,
        {
          job,
          times: new JobTimes(job),
          state: {
            watermark_ms: 0,
            lastStarted_ms: undefined,
            lastFinished_ms: undefined,
            lastError: undefined,
            consecutiveFailures: 0,
          },
          unsaved: undefined,
          retryAt_ms: 0,
          running: undefined,
        },
      ]),
    );
  }

  /** Reads the watermarks and starts running due jobs. A job seen for the first time starts now. */
  async start(): Promise<void> {
    const { store, clock } = this.#options;
    const now_ms = clock.now();
    for (const name of this.#entries.keys()) await store.create(name, now_ms);
    const kept = await store.load();
    for (const [name, entry] of this.#entries) entry.state = kept.get(name) ?? entry.state;
    this.#isStopped = false;
    this.#tick();
  }

  /** Starts no more runs and waits for the current ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#settleRunning();
  }

  list() {
    return [...this.#entries.values()].map((entry) => ({
      ...entry.state,
      name: entry.job.name,
      schedule: entry.job.schedule,
      nextDue_ms: entry.times.nextDue(entry.state.watermark_ms),
      isRunning: entry.running !== undefined,
    }));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Runs a job at once, outside its schedule, after the current run if there is one. */
  async runNow(name: string): Promise<JobRunReport> {
    const entry = this.#entries.get(name);
    if (!entry) throw new RangeError(`no job is called ${name}`);
    while (entry.running) await entry.running;
    return this.#run(entry, this.#options.clock.now(), "by hand");
  }

  /**
   * Moves a movable clock forward to `target_ms`, stopping at each due time: every due timer runs in order and sees the time at
   * which it was due. A job that fails is not retried on the way. Consecutive runs of one job are stored once, before another job
   * runs, and those of repeatable jobs together, at the end; after a crash in between they are repeated.
   */
  async advance(clock: { now(): number; advanceTo(ms: number): void }, target_ms: number): Promise<JobRunReport[]> {
    this.#isAdvancing = true;
    clearTimeout(this.#timer);
    const reports: JobRunReport[] = [];
    const failed = new Set<Entry>();
    const save = async (entries: readonly Entry[]) => {
      for (const { entry, runs, error } of await this.#save(entries)) {
        failed.add(entry);
        const own = reports.flatMap(({ name }, at) => (name === entry.job.name ? [at] : []));
        for (const at of own.slice(-runs)) reports[at] = { ...reports[at]!, result: null, error };
      }
    };
    const entries = [...this.#entries.values()];
    let row: { readonly entry: Entry; readonly end: (() => void) | undefined } | undefined;
    try {
      await this.#settleRunning();
      for (;;) {
        const next = this.#earliest(target_ms, failed);
        if (next?.entry !== row?.entry) {
          row?.end?.();
          row = next && { entry: next.entry, end: next.entry.job.beginRow?.() };
        }
        if (!next) break;
        await save(entries.filter((entry) => entry !== next.entry && isStoredBeforeOthers(entry)));
        clock.advanceTo(next.due_ms);
        // The job may have been started by hand meanwhile.
        while (next.entry.running) await next.entry.running;
        const report = await this.#run(next.entry, next.due_ms, "in a row");
        reports.push(report);
        if (report.error !== undefined) failed.add(next.entry);
      }
      clock.advanceTo(target_ms);
    } finally {
      row?.end?.();
      await save(entries);
      this.#isAdvancing = false;
      this.#tick();
    }
    return reports;
  }

  async #settleRunning(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => entry.running));
  }

  #earliest(until_ms: number, except: ReadonlySet<Entry>): { entry: Entry; due_ms: number } | undefined {
    let best: { entry: Entry; due_ms: number } | undefined;
    for (const entry of this.#entries.values()) {
      if (except.has(entry)) continue;
      const due_ms = entry.times.nextDue(entry.state.watermark_ms, until_ms);
      if (due_ms <= until_ms && (!best || due_ms < best.due_ms)) best = { entry, due_ms };
    }
    return best;
  }

  /** Starts every due job, then sleeps until the next one is due. */
  #tick(): void {
    if (this.#isStopped || this.#isAdvancing) return;
    clearTimeout(this.#timer);
    const now_ms = this.#options.clock.now();
    let wake_ms = now_ms + MAX_SLEEP_MS;
    for (const entry of this.#entries.values()) {
      if (entry.running) continue;
      const due_ms = entry.times.nextDue(entry.state.watermark_ms, now_ms);
      if (due_ms <= now_ms && entry.retryAt_ms <= now_ms) {
        void this.#run(entry, due_ms, "scheduled").then(() => this.#tick());
      } else {
        wake_ms = Math.min(wake_ms, Math.max(due_ms, entry.retryAt_ms));
      }
    }
    this.#timer = setTimeout(() => this.#tick(), Math.max(wake_ms - now_ms, 1));
    this.#timer.unref();
  }

  #run(entry: Entry, due_ms: number, how: Occasion): Promise<JobRunReport> {
    const run = this.#execute(entry, due_ms, how).finally(() => {
      entry.running = undefined;
    });
    entry.running = run;
    return run;
  }

  async #execute(entry: Entry, due_ms: number, occasion: Occasion): Promise<JobRunReport> {
    const { clock, store, onRun } = this.#options;
    const { job } = entry;
    const since_ms = entry.state.watermark_ms;
    const from_ms = entry.unsaved?.from_ms ?? since_ms;
    const runs = (entry.unsaved?.runs ?? 0) + 1;
    const isManual = occasion === "by hand";
    const started_ms = clock.now();
    const begun = performance.now();
    let isMoved = isManual;
    const moveWatermark = async (tx: Tx) => {
      if (isMoved) return;
      await store.moveWatermark(job.name, from_ms, due_ms, tx);
      isMoved = true;
    };
    let result: unknown;
    let error: string | undefined;
    try {
      result = await job.run({ since_ms, due_ms, isManual, moveWatermark });
    } catch (thrown) {
      error = messageOf(thrown);
    }
    const watermark_ms = isManual || error !== undefined ? since_ms : due_ms;
    this.#conclude(entry, { watermark_ms, lastStarted_ms: started_ms, lastError: error });
    if (isManual) {
      await this.#record(entry, 1);
    } else if (occasion === "in a row" && error === undefined) {
      entry.unsaved = { from_ms: isMoved ? due_ms : from_ms, runs };
    } else if (error === undefined ? isMoved : runs === 1) {
      await this.#record(entry, 1);
    } else {
      entry.unsaved = { from_ms, runs };
      error = (await this.#save([entry]))[0]?.error ?? error;
    }
    const report = { name: job.name, due_ms, result: error === undefined ? (result ?? null) : null, error };
    onRun?.(report, performance.now() - begun);
    return report;
  }

  #conclude(entry: Entry, outcome: Pick<JobState, "watermark_ms" | "lastStarted_ms" | "lastError">): void {
    const now_ms = this.#options.clock.now();
    const failures = outcome.lastError === undefined ? 0 : entry.state.consecutiveFailures + 1;
    entry.state = { ...outcome, lastFinished_ms: now_ms, consecutiveFailures: failures };
    entry.retryAt_ms = failures === 0 ? 0 : now_ms + pauseAfter(failures, RETRY_ms);
  }

  /** Stores the watermarks together with the outcomes, in one statement. */
  async #save(entries: readonly Entry[]): Promise<Unstored[]> {
    const finished = entries.flatMap((entry) => {
      const { job, state, unsaved } = entry;
      return unsaved === undefined ? [] : [{ ...unsaved, name: job.name, state, entry }];
    });
    if (finished.length === 0) return [];
    for (const { entry } of finished) entry.unsaved = undefined;
    let stored: ReadonlySet<string> = new Set();
    let failure: unknown;
    try {
      stored = await this.#options.store.finish(finished);
    } catch (thrown) {
      failure = thrown;
    }
    const unstored: Unstored[] = [];
    for (const { entry, name, from_ms, state, runs } of finished) {
      if (stored.has(name)) continue;
      const error = messageOf(failure ?? conflictOf(name));
      this.#conclude(entry, { ...state, watermark_ms: from_ms, lastError: error });
      await this.#record(entry, runs);
      unstored.push({ entry, runs, error });
    }
    return unstored;
  }

  async #record(entry: Entry, runs: number): Promise<void> {
    const { store, onBookkeepingError } = this.#options;
    try {
      await store.recordOutcome(entry.job.name, entry.state, runs);
    } catch (error) {
      onBookkeepingError(entry.job.name, error);
    }
  }
}
