import { join } from "node:path";
import type { Database } from "./database.ts";
import { openEmbedded } from "./embedded/open.ts";
import { openPostgresql } from "./postgresql.ts";

export interface DatabaseOptions {
  /** A PostgreSQL server; without it the embedded database is used. */
  readonly databaseUrl?: string | undefined;
  /** The folder that holds the embedded database, or ":memory:" to keep nothing. */
  readonly dataDir: string;
  readonly onProgress?: ((line: string) => void) | undefined;
  /** Told of what goes wrong beside any call: a lost connection (it is replaced), upkeep that failed, a stuck transaction. */
  readonly onBackgroundError?: ((error: Error) => void) | undefined;
}

export const IN_MEMORY = ":memory:";

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl) return await openPostgresql(options.databaseUrl, options);
  const folder = options.dataDir === IN_MEMORY ? undefined : join(options.dataDir, "database");
  return await openEmbedded({ ...options, folder });
}
