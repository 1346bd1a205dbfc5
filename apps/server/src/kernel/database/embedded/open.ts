import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Kysely, PGliteDialect } from "kysely";
import type { Database } from "../database.ts";
import { guardedDialect } from "../guarded-dialect.ts";
import { pingWithin } from "../ping.ts";
import type { KernelTables } from "../tables.ts";
import { SESSION_SETTINGS_SQL } from "../type-parsers.ts";
import { type DatabaseThread, EmbeddedClient } from "./client.ts";
import { startUpkeep } from "./upkeep.ts";

export interface EmbeddedOptions {
  /** The database's folder; undefined keeps it in memory. */
  readonly folder: string | undefined;
  /** A dump of a fresh database to start from, which is faster than creating one. */
  readonly templateFile?: string | undefined;
  /** The compiled program of the database, for processes that open many databases. */
  readonly program?: WebAssembly.Module | undefined;
  /** A thread that has the database open already; undefined starts one. */
  readonly thread?: DatabaseThread | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
  readonly onBackgroundError?: ((error: Error) => void) | undefined;
}

/**
 * Opens PostgreSQL compiled to WebAssembly. A committed transaction has been handed to the operating system, so it survives any end
 * of the process; it is not synced to disk, so a power failure may lose the last transactions. Use `DATABASE_URL` if that matters.
 * Nothing here prevents two processes from opening one folder: take the folder lock (`kernel/folder-lock.ts`) first.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Database> {
  const { folder, templateFile, program, thread, onProgress, onBackgroundError = () => undefined } = options;
  if (folder !== undefined) {
    mkdirSync(dirname(folder), { recursive: true });
    if (!existsSync(join(folder, "PG_VERSION"))) onProgress?.("Creating the embedded database …");
  }
  const client = new EmbeddedClient({ folder, templateFile, program }, onBackgroundError, thread);
  await client.waitReady;
  await client.query(SESSION_SETTINGS_SQL);
  const upkeep = startUpkeep(client, onBackgroundError);
  const db = new Kysely<KernelTables>({ dialect: guardedDialect(new PGliteDialect({ pglite: client })) });
  return {
    kind: "embedded",
    db,
    description: folder === undefined ? "embedded PostgreSQL in memory" : `embedded PostgreSQL in ${folder}`,
    ...(folder === undefined
      ? {}
      : {
          whileStill: <Result>(action: (folder: string) => Promise<Result>) => client.whileStill(() => action(folder)),
        }),
    ping: (timeout_ms) => pingWithin(timeout_ms, db),
    close: async () => {
      upkeep.stop();
      await db.destroy();
      // Kysely closes only what it has used.
      await client.close();
    },
  };
}
