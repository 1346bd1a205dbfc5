import { MovableClock } from "../kernel/clock.ts";
import type { Db } from "../kernel/database/database.ts";
import { readEdge } from "../kernel/outbox/edge.ts";

const KEY = "development-clock-offset-ms";

/** WIRE-12: the moved development clock survives a restart. A platform that never ran starts at `firstOffset_ms`. */
export async function restoreClock(db: Db, firstOffset_ms = 0): Promise<MovableClock> {
  const row = await db.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
  if (typeof row?.value === "number") return new MovableClock(row.value);
  if (firstOffset_ms === 0 || (await hasRun(db))) return new MovableClock(0);
  const clock = new MovableClock(firstOffset_ms);
  // Stored at once, so that a platform that is stopped in its first moments continues from the same time.
  await keepClock(db, clock);
  return clock;
}

/** A platform that has run has sent the engine a message, which may be pruned by now. */
async function hasRun(db: Db): Promise<boolean> {
  if ((await readEdge(db)).number > 0) return true;
  return (await db.selectFrom("outbox").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export async function keepClock(db: Db, clock: MovableClock): Promise<void> {
  const value = JSON.stringify(clock.offset_ms);
  const updated_at = new Date(clock.now());
  await db
    .insertInto("kernel_state")
    .values({ key: KEY, value, updated_at })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at }))
    .execute();
}
