import { Cron } from "croner";
import type { Clock } from "../clock.ts";
import type { JobDefinition, JobRunReport, JobState } from "./job.ts";
import type { JobStore } from "./store.ts";

const LONGEST_SLEEP_MS = 60_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly store: JobStore;
  readonly jobs: readonly JobDefinition[];
  /** Told of every run; a failed one has an error. */
  readonly onRun?: (report: JobRunReport, duration_ms: number) => void;
  /** Told when the scheduler itself cannot keep its books; the job is tried again later. */
  readonly onBookkeepingError: (jobName: string, error: unknown) => void;
}

interface Entry {
  readonly job: JobDefinition;
  readonly cron: Cron;
  state: JobState;
  retryAt_ms: number;
  running: Promise<JobRunReport> | undefined;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Runs jobs on the platform's own clock (RUN-9): a cron library only computes when the next run is due. A job never
 * overlaps itself; a failure is kept, shown and repeated with growing pauses, and its watermark stays behind until
 * the work is done.
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
          cron: new Cron(job.schedule, { timezone: "UTC", paused: true }),
          state: {
            watermark_ms: 0,
            lastStarted_ms: undefined,
            lastFinished_ms: undefined,
            lastError: undefined,
            consecutiveFailures: 0,
          },
          retryAt_ms: 0,
          running: undefined,
        },
      ]),
    );
  }

  /** Reads the watermarks and begins to run what is due. A job seen for the first time begins now. */
  async start(): Promise<void> {
    const { store, clock } = this.#options;
    const now_ms = clock.now();
    for (const name of this.#entries.keys()) await store.create(name, now_ms);
    const kept = await store.load();
    for (const [name, entry] of this.#entries) entry.state = kept.get(name) ?? entry.state;
    this.#isStopped = false;
    this.#tick();
  }

  /** Starts nothing more and waits for what runs. */
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
      nextDue_ms: this.#nextDue(entry),
      isRunning: entry.running !== undefined,
    }));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Runs a job at once, outside its schedule. Waits for a run under way first. */
  async runNow(name: string): Promise<JobRunReport> {
    const entry = this.#entries.get(name);
    if (!entry) throw new RangeError(`no job is called ${name}`);
    while (entry.running) await entry.running;
    return this.#run(entry, this.#options.clock.now(), true);
  }

  /**
   * Moves a movable clock forward to `target_ms`, stopping at each due time on the way: every timer that fell due
   * runs in due order, seeing the time it was due at. A job that fails is not tried again on the way.
   */
  async advance(clock: { now(): number; advanceTo(ms: number): void }, target_ms: number): Promise<JobRunReport[]> {
    this.#isAdvancing = true;
    clearTimeout(this.#timer);
    const reports: JobRunReport[] = [];
    const failed = new Set<Entry>();
    try {
      await this.#settleRunning();
      for (;;) {
        const next = this.#earliest(target_ms, failed);
        if (!next) break;
        clock.advanceTo(next.due_ms);
        // Somebody may have started it by hand meanwhile.
        while (next.entry.running) await next.entry.running;
        const report = await this.#run(next.entry, next.due_ms, false);
        reports.push(report);
        if (report.error !== undefined) failed.add(next.entry);
      }
      clock.advanceTo(target_ms);
    } finally {
      this.#isAdvancing = false;
      this.#tick();
    }
    return reports;
  }

  async #settleRunning(): Promise<void> {
    await Promise.all([...this.#entries.values()].map((entry) => entry.running));
  }

  /** The next time the job owes a run for: the one after its watermark, or the last before `until_ms` of many. */
  #nextDue(entry: Entry, until_ms = 0): number {
    const after = (ms: number) => entry.cron.nextRun(new Date(ms))?.getTime() ?? Number.POSITIVE_INFINITY;
    const besides_ms = entry.job.dueBesides?.(entry.state.watermark_ms) ?? Number.POSITIVE_INFINITY;
    const scheduled_ms = this.#nextScheduled(entry, until_ms, after);
    return Math.min(besides_ms, scheduled_ms);
  }

  #nextScheduled(entry: Entry, until_ms: number, after: (ms: number) => number): number {
    const first_ms = after(entry.state.watermark_ms);
    if (entry.job.missed === "each" || first_ms >= until_ms) return first_ms;
    // The library looks back from a whole second, exclusive: from the one after `until_ms`, then.
    const reference_ms = (Math.floor(until_ms / 1000) + 1) * 1000;
    const last = entry.cron.previousRuns(1, new Date(reference_ms))[0];
    return Math.max(first_ms, last?.getTime() ?? first_ms);
  }

  #earliest(until_ms: number, except: ReadonlySet<Entry>): { entry: Entry; due_ms: number } | undefined {
    let best: { entry: Entry; due_ms: number } | undefined;
    for (const entry of this.#entries.values()) {
      if (except.has(entry)) continue;
      const due_ms = this.#nextDue(entry, until_ms);
      if (due_ms <= until_ms && (!best || due_ms < best.due_ms)) best = { entry, due_ms };
    }
    return best;
  }

  /** Starts every job that is due, then sleeps until the next one is. */
  #tick(): void {
    if (this.#isStopped || this.#isAdvancing) return;
    clearTimeout(this.#timer);
    const now_ms = this.#options.clock.now();
    let wake_ms = now_ms + LONGEST_SLEEP_MS;
    for (const entry of this.#entries.values()) {
      if (entry.running) continue;
      const due_ms = this.#nextDue(entry, now_ms);
      if (due_ms <= now_ms && entry.retryAt_ms <= now_ms) {
        void this.#run(entry, due_ms, false).then(() => this.#tick());
      } else {
        wake_ms = Math.min(wake_ms, Math.max(due_ms, entry.retryAt_ms));
      }
    }
    this.#timer = setTimeout(() => this.#tick(), Math.max(wake_ms - now_ms, 1));
    this.#timer.unref();
  }

  #run(entry: Entry, due_ms: number, isManual: boolean): Promise<JobRunReport> {
    const run = this.#execute(entry, due_ms, isManual).finally(() => {
      entry.running = undefined;
    });
    entry.running = run;
    return run;
  }

  async #execute(entry: Entry, due_ms: number, isManual: boolean): Promise<JobRunReport> {
    const { clock, store, onRun, onBookkeepingError } = this.#options;
    const { job } = entry;
    const since_ms = entry.state.watermark_ms;
    const started_ms = clock.now();
    const begun = performance.now();
    let isMoved = isManual;
    let report: JobRunReport;
    try {
      const result = await job.run({
        since_ms,
        due_ms,
        isManual,
        moveWatermark: async (tx) => {
          if (isMoved) return;
          await store.moveWatermark(job.name, since_ms, due_ms, tx);
          isMoved = true;
        },
      });
      if (!isMoved) await store.moveWatermark(job.name, since_ms, due_ms);
      report = { name: job.name, due_ms, result: result ?? null, error: undefined };
    } catch (error) {
      report = { name: job.name, due_ms, result: null, error: messageOf(error) };
    }
    const hasFailed = report.error !== undefined;
    const failures = hasFailed ? entry.state.consecutiveFailures + 1 : 0;
    entry.state = {
      watermark_ms: hasFailed || isManual ? since_ms : due_ms,
      lastStarted_ms: started_ms,
      lastFinished_ms: clock.now(),
      lastError: report.error,
      consecutiveFailures: failures,
    };
    entry.retryAt_ms = hasFailed
      ? clock.now() + Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), LONGEST_RETRY_MS)
      : 0;
    onRun?.(report, performance.now() - begun);
    try {
      await store.recordOutcome(job.name, entry.state);
    } catch (error) {
      onBookkeepingError(job.name, error);
    }
    return report;
  }
}
