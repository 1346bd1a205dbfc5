import { join } from "node:path";
import type { Database } from "./database.ts";
import { openEmbedded } from "./embedded/open.ts";
import { openPostgresql } from "./postgresql.ts";

export interface DatabaseOptions {
  /** The URL of a PostgreSQL server; without it the embedded database is used. */
  readonly databaseUrl?: string | undefined;
  /** The folder of the embedded database, or ":memory:". */
  readonly dataDir: string;
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Called for errors outside any call: a lost connection (it is replaced), failed upkeep, a stuck transaction. */
  readonly onBackgroundError?: ((error: Error) => void) | undefined;
  /** Called if another server answers and does not pass the check of `onServerChange`. The process must end. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
}

export const IN_MEMORY = ":memory:";

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl) return await openPostgresql(options.databaseUrl, options);
  const folder = options.dataDir === IN_MEMORY ? undefined : join(options.dataDir, "database");
  return await openEmbedded({ ...options, folder });
}
