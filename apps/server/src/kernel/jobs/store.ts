import { sql } from "kysely";
import type { Db, Tx } from "../database/database.ts";
import type { JobState } from "./job.ts";

const toDate = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));

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

    /** Compare and set: two processes can never both answer for the same stretch of time. */
    async moveWatermark(name: string, from_ms: number, to_ms: number, on: Db | Tx = db): Promise<void> {
      const moved = await on
        .updateTable("job_state")
        .set({ watermark: new Date(to_ms) })
        .where("name", "=", name)
        .where("watermark", "=", new Date(from_ms))
        .executeTakeFirst();
      if (moved.numUpdatedRows !== 1n) throw new Error(`another process has run the job ${name}`);
    },

    async recordOutcome(name: string, state: Omit<JobState, "watermark_ms">): Promise<void> {
      await db
        .updateTable("job_state")
        .set({
          last_started_at: toDate(state.lastStarted_ms),
          last_finished_at: toDate(state.lastFinished_ms),
          last_error: state.lastError ?? null,
          consecutive_failures: state.consecutiveFailures,
          runs: sql`runs + 1`,
        })
        .where("name", "=", name)
        .execute();
    },
  };
}

export type JobStore = ReturnType<typeof createJobStore>;
