import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import { kernelMigrations } from "./kernel-migrations.ts";
import { checkMigrations, type Migration, runMigrations } from "./migrations.ts";
import { openPostgresql } from "./postgresql.ts";
import { itOnServer, openTestDatabase, type TestDatabase, urlOf } from "./testing.ts";

const creating = (table: string): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`create table ${sql.table(table)} (n int)`.execute(db);
  },
});

const dropping = (table: string): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`drop table ${sql.table(table)}`.execute(db);
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

  describe("LOG-7: each state of a database, and who finds it", () => {
    const first = { "0001_kernel": kernelMigrations["0001_kernel"]!, "0002_lines": creating("lines_of_0002") };
    const expanded = { ...first, "0003_lines": creating("lines_of_0003") };
    const contracted = { ...expanded, "0004_x_contracts_0003_lines": dropping("lines_of_0002") };
    const LACKS = /^Error: The database lacks the migration 0003_lines\. Run "npm run migrate" of this release first/;
    const NEWER = /^Error: .*newer version of this program \(it holds the migrations 0004_x_contracts_0003_lines\)/;

    for (const { state, ran, withContracts = false, release, check, start, contract } of [
      {
        state: "empty",
        ran: {},
        release: first,
        check: /lacks 2 migrations, the first of them 0001_kernel/,
        start: 2,
        contract: 2,
      },
      { state: "complete", ran: first, release: first, check: "passes", start: 0, contract: 0 },
      { state: "before an expansion", ran: first, release: expanded, check: LACKS, start: 1, contract: 1 },
      {
        state: "before expansion and contraction",
        ran: first,
        release: contracted,
        check: LACKS,
        start: 1,
        contract: 2,
      },
      { state: "before a contraction", ran: expanded, release: contracted, check: "passes", start: 0, contract: 1 },
      { state: "expanded by a later release", ran: expanded, release: first, check: "passes", start: 0, contract: 0 },
      {
        state: "contracted by the next release",
        ran: contracted,
        withContracts: true,
        release: expanded,
        check: "passes",
        start: 0,
        contract: 0,
      },
      {
        state: "contracted by the release after that",
        ran: contracted,
        withContracts: true,
        release: first,
        check: NEWER,
        start: NEWER,
        contract: NEWER,
      },
    ] as const) {
      it(`LOG-7: ${state}`, async () => {
        const { db } = database;
        const restore = async () => {
          await sql`drop schema public cascade`.execute(db);
          await sql`create schema public`.execute(db);
          if (Object.keys(ran).length > 0) await runMigrations(db, ran, undefined, { withContracts });
        };
        await restore();
        const checked = checkMigrations(db, release);
        await (check === "passes" ? checked : assert.rejects(checked, check));
        for (const [expected, isContracting] of [
          [start, false],
          [contract, true],
        ] as const) {
          await restore();
          const lines: string[] = [];
          const done = runMigrations(db, release, (line) => lines.push(line), { withContracts: isContracting });
          await (typeof expected === "number" ? done : assert.rejects(done, expected));
          assert.equal(lines.length, typeof expected === "number" ? expected : 0);
          if (typeof expected === "number") await checkMigrations(db, release);
        }
      });
    }
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
