import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../apps/server/src/compose/migrations.ts";
import type { Database } from "../../apps/server/src/kernel/database/database.ts";
import { openEmbedded } from "../../apps/server/src/kernel/database/embedded/open.ts";
import { runMigrations } from "../../apps/server/src/kernel/database/migrations.ts";
import { openPostgresql } from "../../apps/server/src/kernel/database/postgresql.ts";
import { createPostgresqlDatabase, postgresqlServerMissing } from "../../apps/server/src/kernel/database/testing.ts";

/** Runs the action with an empty database with all tables, which is dropped afterwards. */
export async function withEmbedded<T>(action: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-bench-"));
  try {
    return await within(await openEmbedded({ folder: join(folder, "database") }), action);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same on a PostgreSQL server (TEST_DATABASE_URL). */
export async function withPostgresql<T>(action: (database: Database) => Promise<T>): Promise<T> {
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  try {
    return await within(await openPostgresql(databaseUrl), action);
  } finally {
    await drop();
  }
}

/**
 * Runs the action on both, one after the other; without a PostgreSQL server on the embedded one alone, with a notice.
 */
export async function onEachDatabase<T>(action: (database: Database, name: string) => Promise<T>): Promise<T[]> {
  const results = [await withEmbedded((database) => action(database, "embedded"))];
  const missing = await postgresqlServerMissing();
  if (missing === false) results.push(await withPostgresql((database) => action(database, "PostgreSQL")));
  else console.log(`  embedded database only: ${missing}`);
  return results;
}

/** On a PostgreSQL server if there is one, else embedded: for data that takes minutes to prepare. */
export async function onOneDatabase<T>(action: (database: Database, name: string) => Promise<T>): Promise<T> {
  if ((await postgresqlServerMissing()) !== false) return withEmbedded((database) => action(database, "embedded"));
  return withPostgresql((database) => action(database, "PostgreSQL"));
}

async function within<T>(database: Database, action: (database: Database) => Promise<T>): Promise<T> {
  try {
    await runMigrations(database.db, migrations);
    return await action(database);
  } finally {
    await database.close();
  }
}
