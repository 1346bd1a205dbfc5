import { sql } from "kysely";
import type { Db } from "./database.ts";

/** Rejects when the database does not answer within the time given. */
export async function pingWithin(timeout_ms: number, db: Db): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the database did not answer within ${timeout_ms} ms`)),
    timeout_ms,
  );
  try {
    await Promise.race([sql`select 1`.execute(db), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
