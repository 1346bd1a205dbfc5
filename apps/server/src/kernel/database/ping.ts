import { sql } from "kysely";
import { within } from "../wait.ts";
import type { Db } from "./database.ts";

/** Rejects if the database does not answer within the time. */
export async function pingWithin(timeout_ms: number, db: Db): Promise<void> {
  const late = () => new Error(`the database did not answer within ${timeout_ms} ms`);
  await within(sql`select 1`.execute(db), timeout_ms, late);
}
