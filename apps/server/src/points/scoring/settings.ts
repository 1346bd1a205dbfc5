import { sql } from "kysely";
import type { Applied } from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { type Noted, notedBy } from "../../kernel/engine-requests/noted-rows.ts";
import { MAKERS, MAKERS_LOCK, RULES } from "../noted.ts";

/** The change of a rule or of the market makers' list at this place of the log; undefined for other commands. */
export function settingAt({ command, events }: Applied): Noted | undefined {
  // A command that was delivered again after a crash is ignored by the engine.
  if (command.kind !== "note" || !events.some(({ kind }) => kind === "noted")) return undefined;
  const noted = notedBy(command);
  return noted?.table === RULES.name || noted?.table === MAKERS.name ? noted : undefined;
}

/** PTS-3, LOG-3: lets the setting count for fills after this command. */
export async function applySetting(tx: Tx, { table, row, isGone }: Noted, { number }: Applied): Promise<void> {
  if (table === RULES.name) {
    await sql`
      update points_rule set from_command = ${number}
      where version = ${row.version} and from_command is null`.execute(tx);
    return;
  }
  // Whoever replaces the list changes the same rows in another order.
  await lockInTransaction(tx, MAKERS_LOCK);
  if (isGone) {
    await sql`delete from points_maker where address = ${row.address} and not is_listed`.execute(tx);
    await sql`update points_maker set is_in_force = false where address = ${row.address}`.execute(tx);
  } else {
    await sql`update points_maker set is_in_force = true where address = ${row.address}`.execute(tx);
  }
}
