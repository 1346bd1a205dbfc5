import type { Tx } from "../database/database.ts";

/** The half-open window of a run: after `since_ms`, up to and including `due_ms`. */
export interface JobWindow {
  readonly since_ms: number;
  readonly due_ms: number;
  /** A manual run, outside the schedule: the watermark does not move. */
  readonly isManual: boolean;
  /**
   * Moves the job's watermark to `due_ms` in the job's own transaction, so that the work and its record are atomic. A job that does
   * not call it must be safe to repeat: the scheduler moves the watermark afterwards.
   */
  moveWatermark(tx: Tx): Promise<void>;
}

export interface JobDefinition {
  readonly name: string;
  /** Cron pattern, in UTC, with seconds where six fields are given. */
  readonly schedule: string;
  /**
   * The first moment after `after_ms` at which the job is due in addition to its schedule; undefined for none. For timers in the
   * data. None of them is skipped, whatever `missed` says. Called often, so it must be fast.
   */
  dueBesides?(after_ms: number): number | undefined;
  /** After a pause: run once for each missed time, or once for all of them. */
  readonly missed: "each" | "latest";
  /**
   * A repeated run changes nothing, even if other jobs have run since, and no other job reads the watermark in the database. A jump of
   * the clock then stores the runs at its end. It holds for every job that makes up for missed times at once.
   */
  readonly isRepeatable?: boolean;
  /** Called before consecutive runs during a jump of the clock; the returned function is called after the last of them. */
  beginRow?(): () => void;
  /** The result is shown to a person who runs the job by hand. A thrown error is stored and the run repeated. */
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
