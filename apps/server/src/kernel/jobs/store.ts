import { sql } from "kysely";
import type { Db, Tx } from "../database/database.ts";
import type { JobState } from "./job.ts";

const toDate = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));

const outcomeColumns = (state: JobState) => ({
  last_started_at: toDate(state.lastStarted_ms),
  last_finished_at: toDate(state.lastFinished_ms),
  last_error: state.lastError ?? null,
  consecutive_failures: state.consecutiveFailures,
});

/** Another process has moved the watermark. */
export const conflictOf = (name: string) => new Error(`another process has run the job ${name}`);

/** Runs of a job that are to be stored together. */
export interface FinishedRuns {
  readonly name: string;
  /** The watermark in the database. */
  readonly from_ms: number;
  readonly state: JobState;
  readonly runs: number;
}

/** All SQL of the scheduler. */
export function createJobStore(db: Db) {
  return {
    async load(): Promise<Map<string, JobState>> {
      const rows = await db.selectFrom("job_state").selectAll().execute();
      return new Map(
        rows.map((row) => [
          row.name,
          {
            watermark_ms: row.watermark.getTime(),
            lastStarted_ms: row.last_started_at?.getTime(),
            lastFinished_ms: row.last_finished_at?.getTime(),
            lastError: row.last_error ?? undefined,
            consecutiveFailures: row.consecutive_failures,
          },
        ]),
      );
    },

    async create(name: string, watermark_ms: number): Promise<void> {
      await db
        .insertInto("job_state")
        .values({ name, watermark: new Date(watermark_ms), runs: 0n, consecutive_failures: 0 })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
    },

    /**
     * Compare and set: two processes can never both cover the same window. Also clears an earlier failure: a crash before the
     * outcome is stored must not leave the failure until the job is due again.
     */
    async moveWatermark(name: string, from_ms: number, to_ms: number, on: Db | Tx = db): Promise<void> {
      const columns = { watermark: new Date(to_ms), last_error: null, consecutive_failures: 0 };
      const { numUpdatedRows } = await on
        .updateTable("job_state")
        .set(columns)
        .where("name", "=", name)
        .where("watermark", "=", new Date(from_ms))
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw conflictOf(name);
    },

    /** The same together with the outcomes, for several jobs in one statement; returns the names of those without a conflict. */
    async finish(finished: readonly FinishedRuns[]): Promise<ReadonlySet<string>> {
      const rows = finished.map(({ name, from_ms, state, runs }) => ({
        name,
        from_watermark: new Date(from_ms),
        watermark: new Date(state.watermark_ms),
        ...outcomeColumns(state),
        runs,
      }));
      const stored = await sql<{ name: string }>`
        update job_state as j set
          watermark = f.watermark, last_started_at = f.last_started_at, last_finished_at = f.last_finished_at,
          last_error = f.last_error, consecutive_failures = f.consecutive_failures, runs = j.runs + f.runs
        from json_to_recordset(${JSON.stringify(rows)}) as f (
          name text, from_watermark timestamptz, watermark timestamptz, last_started_at timestamptz,
          last_finished_at timestamptz, last_error text, consecutive_failures int, runs bigint)
        where j.name = f.name and j.watermark = f.from_watermark
        returning j.name`.execute(db);
      return new Set(stored.rows.map(({ name }) => name));
    },

    async recordOutcome(name: string, state: JobState, runs: number): Promise<void> {
      const columns = { ...outcomeColumns(state), runs: sql<bigint>`runs + ${runs}` };
      await db.updateTable("job_state").set(columns).where("name", "=", name).execute();
    },
  };
}

export type JobStore = ReturnType<typeof createJobStore>;
