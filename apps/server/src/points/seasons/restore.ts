import type { Tx } from "../../kernel/database/database.ts";
import { type NotedRow, writeNoted } from "../../kernel/engine-requests/noted-rows.ts";
import { SEASON_ROWS } from "../noted.ts";
import { type PointsTx, pointsTx } from "../tables.ts";
import { allocate } from "./allocation.ts";
import { findSeason, rebuildSeasonTotals, type Season } from "./season-store.ts";

/**
 * LOG-3: writes a season as it was noted, and at its snapshot the allocations. Allocations that come out with another root than the
 * published one are not written: some of what they followed from is older than the notes in the log.
 */
export async function restoreSeason(anyTx: Tx, row: NotedRow): Promise<number> {
  const tx = pointsTx(anyTx);
  const before = await findSeason(tx, String(row.id));
  if (before?.root === null && row.root !== null) await allocateAgain(tx, before, String(row.root));
  await writeNoted(tx, SEASON_ROWS, [{ table: SEASON_ROWS.name, row, isGone: false }]);
  if (row.root !== null) return 1;
  const season = await findSeason(tx, String(row.id));
  await rebuildSeasonTotals(tx, season!, before?.season_no);
  return 1;
}

async function allocateAgain(tx: PointsTx, season: Season, root: string): Promise<void> {
  const allocated = await allocate(tx, season);
  if (`\\x${allocated.root.toString("hex")}` === root) return;
  await tx.deleteFrom("points_allocation").where("season_no", "=", season.season_no).execute();
}
