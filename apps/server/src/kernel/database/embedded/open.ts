import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Kysely, PGliteDialect } from "kysely";
import type { Database } from "../database.ts";
import { guardedDialect } from "../guarded-dialect.ts";
import { pingWithin } from "../ping.ts";
import type { KernelTables } from "../tables.ts";
import { SESSION_SETTINGS_SQL } from "../type-parsers.ts";
import { EmbeddedClient } from "./client.ts";
import { startUpkeep } from "./upkeep.ts";

export interface EmbeddedOptions {
  /** Where the database lives; none keeps it in memory. */
  readonly folder: string | undefined;
  /** A dump of a fresh database to begin with, which is quicker than creating one. */
  readonly templateFile?: string | undefined;
  /** The database's program, compiled already: for processes that open many databases. */
  readonly program?: WebAssembly.Module | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
  readonly onBackgroundError?: ((error: Error) => void) | undefined;
}

/**
 * Opens PostgreSQL compiled to WebAssembly. A committed transaction has been handed to the operating system, so it
 * survives the end of the process however sudden; it is not forced to the disk, so a power cut may lose the last
 * moments. Who needs that too gives `DATABASE_URL`. Nothing here stops two processes from opening one folder: hold the
 * folder lock (`kernel/folder-lock.ts`) first.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  const { folder, templateFile, program, onProgress, onBackgroundError = () => undefined } = options;
  if (folder !== undefined) {
    mkdirSync(dirname(folder), { recursive: true });
    if (!existsSync(join(folder, "PG_VERSION"))) onProgress?.("Creating the embedded database …");
  }
  const client = new EmbeddedClient({ folder, templateFile, program }, onBackgroundError);
  await client.waitReady;
  await client.query(SESSION_SETTINGS_SQL);
  const upkeep = startUpkeep(client, onBackgroundError);
  const db = new Kysely<KernelTables>({ dialect: guardedDialect(new PGliteDialect({ pglite: client })) });
  return {
    kind: "embedded",
    db,
    description: folder === undefined ? "embedded PostgreSQL in memory" : `embedded PostgreSQL in ${folder}`,
    ping: (timeout_ms) => pingWithin(timeout_ms, db),
    close: async () => {
      upkeep.stop();
      await db.destroy();
      // Kysely closes only what it has used.
      await client.close();
    },
  };
}
