import { sql } from "kysely";
import { beforeDay, removeRows, rowsBefore } from "../../exchange/index.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { Epochs } from "../epochs.ts";
import { listSeasons } from "../seasons/season-store.ts";
import type { PointsDb } from "../tables.ts";

export interface LineRetentionOptions {
  readonly db: PointsDb;
  readonly epochs: Epochs;
  /** `HISTORY_DAYS`; 0 keeps everything. */
  readonly days: number;
  /** `BACKUP_DIR`. */
  readonly archive: string | undefined;
}

/**
 * LOG-8: lines of points for trades leave after `HISTORY_DAYS`, but not before their season is completed. Totals and allocations,
 * which are what a season's proof needs, stay.
 */
export class LineRetention {
  readonly #options: LineRetentionOptions;
  readonly job: JobDefinition;

  constructor(options: LineRetentionOptions) {
    this.#options = options;
    this.job = {
      name: "points-retention",
      schedule: "10 4 * * *",
      missed: "latest",
      run: async ({ due_ms }) => ({ lines: await this.#remove(due_ms) }),
    };
  }

  /** Lines from before may have been removed; 0 if none were. */
  async keptFrom(now_ms: number): Promise<number> {
    const { db, days, epochs } = this.#options;
    if (days === 0) return 0;
    const running = (await listSeasons(db)).filter(({ status }) => status !== "completed");
    return Math.min(now_ms - days * DAY_ms, ...running.map(({ start_epoch }) => epochs.start_ms(start_epoch)));
  }

  async #remove(due_ms: number): Promise<number> {
    const { db, archive } = this.#options;
    const before_ms = await this.keptFrom(due_ms);
    if (before_ms <= 0) return 0;
    const table = "points_line";
    return await removeRows(db, {
      table,
      slices: () => rowsBefore(db, { table, id: "id", time: "time_ms" }, before_ms),
      condition: sql`trade is not null and time_ms < ${before_ms}`,
      archive,
      archiveName: { table, name: beforeDay(before_ms) },
    });
  }
}
