import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import { kernelMigrations } from "./kernel-migrations.ts";
import { type Migration, runMigrations } from "./migrations.ts";
import { openPostgresql } from "./postgresql.ts";
import { itOnServer, openTestDatabase, type TestDatabase, urlOf } from "./testing.ts";

const creating = (table: string): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`create table ${sql.table(table)} (n int)`.execute(db);
  },
});

const failing: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table half_done (n int)`.execute(db);
    await sql`select broken`.execute(db);
  },
};

async function hasTable({ db }: Database, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(db);
  return rows[0]?.found === true;
}

describe("migrations", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it("run once each, sorted by name, and tell their progress", async () => {
    const lines: string[] = [];
    const migrations = { ...kernelMigrations, "0003_b": creating("table_b"), "0002_a": creating("table_a") };
    await runMigrations(database.db, migrations, (line) => lines.push(line));
    assert.deepEqual(lines, ["Migrating the database: 0002_a …", "Migrating the database: 0003_b …"]);
    await runMigrations(database.db, migrations, (line) => lines.push(line));
    assert.equal(lines.length, 2);
    assert.ok((await hasTable(database, "table_a")) && (await hasTable(database, "table_b")));
  });

  it("one that fails is named and leaves nothing, and the database stays usable", async () => {
    const known = { ...kernelMigrations, "0002_a": creating("table_a"), "0003_b": creating("table_b") };
    const migrations = { ...known, "0004_c": creating("table_c"), "0005_bad": failing };
    await assert.rejects(runMigrations(database.db, migrations), (error: Error) => {
      assert.match(
        error.message,
        /^The migration 0005_bad failed, nothing was changed: column "broken" does not exist/,
      );
      assert.ok(error.cause instanceof Error);
      return true;
    });
    assert.ok(!(await hasTable(database, "table_c")));
    assert.ok(!(await hasTable(database, "half_done")));
    await runMigrations(database.db, known);
  });

  it("a database that a newer version wrote is refused", async () => {
    await assert.rejects(
      runMigrations(database.db, kernelMigrations),
      /^Error: The database was written by a newer version of this program \(it holds the migrations 0002_a, 0003_b\)/,
    );
  });

  itOnServer("processes that migrate at once wait for each other", async () => {
    const databaseUrl = urlOf(database);
    const processes = await Promise.all(Array.from({ length: 4 }, () => openPostgresql(databaseUrl)));
    await sql`drop schema public cascade`.execute(database.db);
    await sql`create schema public`.execute(database.db);
    const lines: string[] = [];
    await Promise.all(processes.map(({ db }) => runMigrations(db, kernelMigrations, (line) => lines.push(line))));
    assert.deepEqual(lines, ["Migrating the database: 0001_kernel …"]);
    await Promise.all(processes.map((process) => process.close()));
  });
});
