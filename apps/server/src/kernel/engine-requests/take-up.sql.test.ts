import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { ManualClock } from "../clock.ts";
import { kernelMigrations } from "../database/kernel-migrations.ts";
import { openTestDatabase, type TestDatabase } from "../database/testing.ts";
import type { NotedRow, NotedTable } from "./noted-rows.ts";
import { type Noted, notedBy, notesOf, readNoted, writeNoted } from "./noted-rows.ts";
import { takeUpSettings } from "./take-up.ts";

const PARENTS: NotedTable = { name: "noted_parent", key: ["id"], secret: ["wallet"], identity: "id" };
const CHILDREN: NotedTable = { name: "noted_child", key: ["name"], isKept: true };

describe("LOG-3: rows of settings in the log", () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  let database: TestDatabase;
  let noted: [table: string, row: NotedRow][] = [];
  let isNoting = true;
  const engineRequests = {
    get isNoting() {
      return isNoting;
    },
    notify: () => {},
    note: async (_tx: unknown, { name }: NotedTable, rows: readonly NotedRow[]) => {
      if (isNoting) noted.push(...rows.map((row): [string, NotedRow] => [name, row]));
      return undefined;
    },
  };
  const rows = [
    { table: PARENTS, lock: "parents", condition: sql`one.id <> 3`, more: sql`jsonb_build_object('size', one.id * 2)` },
    { table: CHILDREN, lock: "children" },
  ];
  /** The number of pages. */
  async function takeUp(page = 2): Promise<number> {
    for (let pages = 1; ; pages += 1) {
      if (!(await takeUpSettings({ database, clock, engineRequests, rows, page }))) return pages;
    }
  }

  before(async () => {
    database = await openTestDatabase(kernelMigrations);
    await sql`create table noted_parent (id int generated always as identity primary key, wallet text,
      size bigint not null default 7)`.execute(database.db);
    await sql`create table noted_child (name text primary key, parent int references noted_parent (id))`.execute(
      database.db,
    );
  });
  after(() => database.close());
  beforeEach(async () => {
    [noted, isNoting] = [[], true];
    await sql`truncate noted_parent, noted_child restart identity`.execute(database.db);
    await sql`delete from kernel_state`.execute(database.db);
    await sql`insert into noted_parent (wallet) select 'w' || n from generate_series(1, 6) as n`.execute(database.db);
    await sql`insert into noted_child select 'c' || n, n from generate_series(1, 3) as n`.execute(database.db);
  });

  it("each row from before is noted once, in order, a page at a time", async () => {
    assert.equal(await takeUp(), 5);
    const keys = noted.map(([table, row]) => (table === PARENTS.name ? row["id"] : row["name"]));
    assert.deepEqual(keys, [1, 2, 4, 5, 6, "c1", "c2", "c3"]);
    assert.deepEqual(noted[0], [PARENTS.name, { id: 1, wallet: "w1", size: 2 }]);
    assert.equal(await takeUp(), 1);
    assert.equal(noted.length, 8);
  });

  it("nothing is noted while the rules know no references, and all of it once they do", async () => {
    isNoting = false;
    await takeUp();
    assert.equal(noted.length, 0);
    isNoting = true;
    assert.equal(await takeUp(100), 1);
    assert.equal(noted.length, 8);
  });

  it("what is noted is written again as it was: changed, kept or gone, with its private columns", async () => {
    const before_ = await readNoted(database.db, PARENTS, sql`true`);
    const inLog = (table: NotedTable, row: NotedRow, isGone = false): Noted => {
      const { details, secret } = notesOf(table, row, isGone);
      const more = secret === undefined ? {} : { disclosure: `00:${secret}` };
      return notedBy({ kind: "note", number: 1, time_ms: 0, details: JSON.stringify(details), ...more })!;
    };
    const { details } = notesOf(PARENTS, before_[0]!, false);
    assert.ok(!JSON.stringify(details).includes("w1"), "a private column is not public");
    const changes = [
      inLog(PARENTS, { id: 1, wallet: "a", size: 1 }),
      inLog(PARENTS, { id: 1, wallet: "b" }),
      inLog(PARENTS, { id: 9, wallet: "new" }),
      inLog(PARENTS, { id: 6 }, true),
      inLog(CHILDREN, { name: "c1", parent: 5 }),
      inLog(CHILDREN, { name: "c9", parent: 9 }),
    ];
    await database.db.transaction().execute(async (tx) => {
      assert.equal(await writeNoted(tx, PARENTS, changes), 3);
      assert.equal(await writeNoted(tx, CHILDREN, changes), 2);
    });
    const { rows } = await sql<NotedRow>`select id, wallet, size::int from noted_parent order by id`.execute(
      database.db,
    );
    assert.deepEqual(
      rows.filter(({ id }) => id === 1 || Number(id) > 5),
      [
        { id: 1, wallet: "b", size: 7 },
        { id: 9, wallet: "new", size: 7 },
      ],
    );
    const children = await sql<NotedRow>`select * from noted_child order by name`.execute(database.db);
    assert.deepEqual(children.rows, [
      { name: "c1", parent: 1 },
      { name: "c2", parent: 2 },
      { name: "c3", parent: 3 },
      { name: "c9", parent: 9 },
    ]);
    const next = await sql<{ id: number }>`insert into noted_parent (wallet) values ('next') returning id`.execute(
      database.db,
    );
    assert.equal(next.rows[0]!.id, 10, "the database numbers behind them");
  });
});
