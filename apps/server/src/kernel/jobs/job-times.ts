import { Cron } from "croner";
import type { JobDefinition } from "./job.ts";

/**
 * The due times of a job. A jump of the clock asks for them before every run of every job, and the calendar library is slow, so its
 * answers are cached until the question changes.
 */
export class JobTimes {
  readonly #job: JobDefinition;
  readonly #cron: Cron;
  #first = { after_ms: Number.NaN, ms: Number.NaN };
  #last = { until_ms: Number.NaN, ms: Number.NaN };

  constructor(job: JobDefinition) {
    this.#job = job;
    this.#cron = new Cron(job.schedule, { timezone: "UTC", paused: true });
  }

  /** The next due time of the job: the first after its watermark, or, of several, the last before `until_ms`. */
  nextDue(watermark_ms: number, until_ms = 0): number {
    const besides_ms = this.#job.dueBesides?.(watermark_ms) ?? Number.POSITIVE_INFINITY;
    return Math.min(besides_ms, this.#nextScheduled(watermark_ms, until_ms));
  }

  #nextScheduled(watermark_ms: number, until_ms: number): number {
    const first_ms = this.#firstAfter(watermark_ms);
    if (this.#job.missed === "each" || first_ms >= until_ms) return first_ms;
    return Math.max(first_ms, this.#lastUntil(until_ms));
  }

  #firstAfter(after_ms: number): number {
    if (this.#first.after_ms !== after_ms) {
      const ms = this.#cron.nextRun(new Date(after_ms))?.getTime() ?? Number.POSITIVE_INFINITY;
      this.#first = { after_ms, ms };
    }
    return this.#first.ms;
  }

  #lastUntil(until_ms: number): number {
    if (this.#last.until_ms !== until_ms) {
      // The library looks back from a whole second, exclusively: so from the one after `until_ms`.
      const reference_ms = (Math.floor(until_ms / 1000) + 1) * 1000;
      const ms = this.#cron.previousRuns(1, new Date(reference_ms))[0]?.getTime() ?? Number.NEGATIVE_INFINITY;
      this.#last = { until_ms, ms };
    }
    return this.#last.ms;
  }
}
