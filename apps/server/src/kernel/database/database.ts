import { join } from "node:path";
import type { Kysely, Transaction } from "kysely";
import { openEmbedded } from "./embedded/open.ts";
import { openPostgresql } from "./postgresql.ts";
import type { KernelTables } from "./tables.ts";

export type Db = Kysely<KernelTables>;
export type Tx = Transaction<KernelTables>;

/**
 * The platform's SQL database: a PostgreSQL server, or PostgreSQL embedded in this process. Both speak the same SQL and
 * give the same JavaScript values. Modules add their tables' types with `db.$extendTables<TheirTables>()`.
 */
export interface Database {
  readonly kind: "embedded" | "postgresql";
  readonly db: Db;
  /** Where it is, for logs and the health page; never holds the password. */
  readonly description: string;
  /** Rejects when the database does not answer in time. */
  ping(timeout_ms: number): Promise<void>;
  close(): Promise<void>;
}

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
