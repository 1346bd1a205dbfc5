import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";

export type { Migration };
export type Migrations = Readonly<Record<string, Migration>>;

function announced(migrations: Migrations, onProgress: (line: string) => void): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => {
      const up: Migration["up"] = async (db) => {
        onProgress(`Migrating the database: ${name} …`);
        await migration.up(db);
      };
      return [name, { ...migration, up }];
    }),
  );
}

async function unknownMigrations(db: Kysely<unknown>, known: Migrations): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name).filter((name) => !Object.hasOwn(known, name));
}

async function migrate<Tables>(
  connection: Kysely<Tables>,
  migrations: Migrations,
  onProgress: (line: string) => void,
): Promise<void> {
  const migrator = new Migrator({
    db: connection,
    provider: { getMigrations: async () => announced(migrations, onProgress) },
    // Each module numbers its own migrations, so a new one may sort before some that have run already.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results.find((result) => result.status === "Error");
  if (failed !== undefined) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The migration ${failed.migrationName} failed, nothing was changed: ${reason}`, { cause: error });
  }
  const unknown = await unknownMigrations(connection as Kysely<unknown>, migrations);
  if (unknown.length > 0) {
    throw new Error(
      `The database was written by a newer version of this program (it holds the migrations ${unknown.join(", ")}). ` +
        "Start that version, or use another database.",
    );
  }
  throw error;
}

/**
 * Runs every migration that has not run yet, sorted by name, in one transaction. Processes that start together wait for each other
 * (an advisory lock held by Kysely's migrator).
 */
export async function runMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
  onProgress: (line: string) => void = () => undefined,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Waiting for another process, or rewriting a large table, may take longer than the limit of ordinary statements.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await migrate(connection, migrations, onProgress);
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}
