import { sql, type UpdateResult } from "kysely";
import type { Db, Tx } from "../database/database.ts";
import type { JobState } from "./job.ts";

const toDate = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));

const outcomeColumns = (state: JobState, runs: number) => ({
  last_started_at: toDate(state.lastStarted_ms),
  last_finished_at: toDate(state.lastFinished_ms),
  last_error: state.lastError ?? null,
  consecutive_failures: state.consecutiveFailures,
  runs: sql<bigint>`runs + ${runs}`,
});

const at = (on: Db | Tx, name: string, watermark_ms: number) =>
  on.updateTable("job_state").where("name", "=", name).where("watermark", "=", new Date(watermark_ms));

function assertMoved(name: string, { numUpdatedRows }: UpdateResult): void {
  if (numUpdatedRows !== 1n) throw new Error(`another process has run the job ${name}`);
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
      assertMoved(name, await at(on, name, from_ms).set(columns).executeTakeFirst());
    },

    /** The same together with the outcome, for runs that have not moved it themselves. */
    async finish(name: string, from_ms: number, state: JobState, runs: number): Promise<void> {
      const columns = { watermark: new Date(state.watermark_ms), ...outcomeColumns(state, runs) };
      assertMoved(name, await at(db, name, from_ms).set(columns).executeTakeFirst());
    },

    async recordOutcome(name: string, state: JobState, runs: number): Promise<void> {
      await db.updateTable("job_state").set(outcomeColumns(state, runs)).where("name", "=", name).execute();
    },
  };
}

export type JobStore = ReturnType<typeof createJobStore>;
