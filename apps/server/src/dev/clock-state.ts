import { MovableClock } from "../kernel/clock.ts";
import type { Db } from "../kernel/database/database.ts";

const KEY = "development-clock-offset-ms";

/** WIRE-12: the moved development clock survives a restart. */
export async function restoreClock(db: Db): Promise<MovableClock> {
  const row = await db.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
  return new MovableClock(typeof row?.value === "number" ? row.value : 0);
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
