import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { StartRefusal } from "../start-refusal.ts";

export type { Migration };
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * LOG-7: a migration that takes something away is named after the one that brought its replacement, such as
 * `0150_points_contracts_0140_points_lines`. Who knows that one can do without what is gone. All others only add.
 */
const CONTRACT = /_contracts_(?<replacement>.+)$/;

const contractedBy = (name: string): string | undefined => CONTRACT.exec(name)?.groups?.["replacement"];

/** What a database has, compared with what this release knows; names in their order. */
export interface MigrationState {
  /** Must run before this release can use the database. */
  readonly pending: readonly string[];
  /** May run once no process of an earlier release uses the database. */
  readonly contracts: readonly string[];
  /** Of a later release. */
  readonly unknown: readonly string[];
  /** Those of them that took away what this release uses. */
  readonly breaking: readonly string[];
}

export async function readMigrations<Tables>(db: Kysely<Tables>, known: Migrations): Promise<MigrationState> {
  const done = await ranMigrations(db);
  const missing = Object.keys(known)
    .filter((name) => !done.has(name))
    .sort();
  const unknown = [...done].filter((name) => !Object.hasOwn(known, name));
  return {
    pending: missing.filter((name) => contractedBy(name) === undefined),
    contracts: missing.filter((name) => contractedBy(name) !== undefined),
    unknown,
    breaking: unknown.filter((name) => {
      const replacement = contractedBy(name);
      return replacement !== undefined && !Object.hasOwn(known, replacement);
    }),
  };
}

async function ranMigrations<Tables>(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const table = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (table.rows[0]?.found !== true) return new Set();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

function assertUsable({ breaking }: MigrationState): void {
  if (breaking.length === 0) return;
  throw new StartRefusal(
    `The database was written by a newer version of this program (it holds the migrations ${breaking.join(", ")}). ` +
      "Start that version, or use another database.",
  );
}

/** LOG-7: for a process that does not migrate. Refuses a database that this release cannot use as it is. */
export async function checkMigrations<Tables>(db: Kysely<Tables>, known: Migrations): Promise<void> {
  const state = await readMigrations(db, known);
  assertUsable(state);
  const { pending } = state;
  if (pending.length === 0) return;
  const which = pending.length === 1 ? "the migration" : `${pending.length} migrations, the first of them`;
  throw new StartRefusal(
    `The database lacks ${which} ${pending[0]}. Run "npm run migrate" of this release first; processes of the release before ` +
      "go on meanwhile.",
  );
}

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

const ranAlready: Migration = { up: () => Promise.reject(new Error("a migration of a later release cannot run")) };

async function migrate<Tables>(
  connection: Kysely<Tables>,
  migrations: Migrations,
  onProgress: (line: string) => void,
  withContracts: boolean,
): Promise<void> {
  const state = await readMigrations(connection, migrations);
  assertUsable(state);
  const later = state.unknown.map((name) => [name, ranAlready] as const);
  const all: Record<string, Migration> = { ...announced(migrations, onProgress), ...Object.fromEntries(later) };
  if (!withContracts) for (const name of state.contracts) delete all[name];
  const migrator = new Migrator({
    db: connection,
    provider: { getMigrations: async () => all },
    // Each module numbers its own migrations, so a new one may sort before some that have run already.
    allowUnorderedMigrations: true,
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results.find((result) => result.status === "Error");
  if (failed === undefined) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`The migration ${failed.migrationName} failed, nothing was changed: ${reason}`, { cause: error });
}

/**
 * Runs every migration that has not run yet, sorted by name, in one transaction; those that take something away only if asked
 * to. Processes that start together wait for each other (an advisory lock held by Kysely's migrator).
 */
export async function runMigrations<Tables>(
  db: Kysely<Tables>,
  migrations: Migrations,
  onProgress: (line: string) => void = () => undefined,
  { withContracts = false } = {},
): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Waiting for another process, or rewriting a large table, may take longer than the limit of ordinary statements.
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      await migrate(connection, migrations, onProgress, withContracts);
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}
