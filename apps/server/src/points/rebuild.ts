import type { Command } from "@bourse/engine";
import { sql } from "kysely";
import type { Tx } from "../kernel/database/database.ts";
import { type Noted, type NotedRow, notedBy, writeNoted } from "../kernel/engine-requests/noted-rows.ts";
import type { RebuildPart } from "../rebuild/index.ts";
import { dayStart_ms, EARN_JOB, type Epochs } from "./epochs.ts";
import { LEVELS, MAKERS, RULES, SEASON_ROWS } from "./noted.ts";
import { restoreEarn } from "./scoring/earn.ts";
import { readEarnNote } from "./scoring/earn-notes.ts";
import { restoreSeason } from "./seasons/restore.ts";

/** Market makers and seasons change what the projection writes for fills before them. */
const startsBatch = (command: Command): boolean => {
  const table = notedBy(command)?.table;
  return table === MAKERS.name || table === SEASON_ROWS.name;
};

const inForce = (row: NotedRow): NotedRow => ({ ...row, is_listed: true, is_in_force: true });

/**
 * LOG-3: rules, levels, market makers, seasons with their allocations, and the lines of earn positions. The projection lets rules
 * count from their place on, and writes the lines of fills.
 */
export function createPointsPart(epochs: Epochs): RebuildPart {
  return {
    name: "points",
    tables: [RULES, LEVELS, MAKERS, SEASON_ROWS]
      .map(({ name }) => name)
      .concat("points_allocation", "points_line", "points_total", "job_state"),
    startsBatch,
    async restore(tx, { requests }) {
      const noted: Noted[] = [];
      let written = 0;
      for (const { command, details, secret } of requests) {
        const row = notedBy(command);
        if (row?.table === SEASON_ROWS.name) written += await restoreSeason(tx, row.row);
        else if (row !== undefined) noted.push(row);
        const earn = row === undefined && command.kind === "note" ? readEarnNote(details, secret) : undefined;
        if (earn === undefined) continue;
        written += await restoreEarn(tx, epochs, earn);
        await followEarnJob(tx, earn.day);
      }
      written += (await writeNoted(tx, RULES, noted)) + (await writeNoted(tx, LEVELS, noted));
      const makers = noted.map((one) => (one.isGone ? one : { ...one, row: inForce(one.row) }));
      return written + (await writeNoted(tx, MAKERS, makers));
    },
    async findLosses(db) {
      const { rows } = await sql<{ season_no: number }>`
        select season_no from points_season where leaf_count > 0
          and not exists (select from points_allocation as own where own.season_no = points_season.season_no)
        order by season_no`.execute(db);
      return rows.map(
        ({ season_no }) => `The allocations of season ${season_no} do not come out of the log as published.`,
      );
    },
  };
}

/** The job goes on with the midnight after this one. */
async function followEarnJob(tx: Tx, day: number): Promise<void> {
  await sql`
    insert into job_state (name, watermark) values (${EARN_JOB}, ${new Date(dayStart_ms(day))})
    on conflict (name) do update set watermark = greatest(job_state.watermark, excluded.watermark)`.execute(tx);
}
