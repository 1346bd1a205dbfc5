import type { Tx } from "../database/database.ts";

/** The half-open stretch of time a run answers for: after `since_ms`, up to and including `due_ms`. */
export interface JobWindow {
  readonly since_ms: number;
  readonly due_ms: number;
  /** Run by hand, outside the schedule: the watermark stays where it is. */
  readonly isManual: boolean;
  /**
   * Moves the job's watermark to `due_ms` in the job's own transaction, so that its work and the fact that it was
   * done are one. A job that does not call it must be safe to repeat: the scheduler moves the watermark afterwards.
   */
  moveWatermark(tx: Tx): Promise<void>;
}

export interface JobDefinition {
  readonly name: string;
  /** Cron pattern, in UTC, with seconds where six fields are given. */
  readonly schedule: string;
  /**
   * The first moment after `after_ms` at which the job is due besides its schedule, undefined for none: for timers that lie
   * in the data. None of them is passed over, whatever `missed` says. Asked often, so it must be quick.
   */
  dueBesides?(after_ms: number): number | undefined;
  /** After a pause: run once for each time that fell due, or once for all of them. */
  readonly missed: "each" | "latest";
  /** What is returned is shown to whoever ran the job by hand. A thrown error is kept and the run repeated. */
  run(window: JobWindow): Promise<unknown>;
}

export interface JobState {
  readonly watermark_ms: number;
  readonly lastStarted_ms: number | undefined;
  readonly lastFinished_ms: number | undefined;
  readonly lastError: string | undefined;
  readonly consecutiveFailures: number;
}

export interface JobRunReport {
  readonly name: string;
  readonly due_ms: number;
  readonly result: unknown;
  readonly error: string | undefined;
}
