import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { COPY_NULL, copyQuery, copyValue } from "./copy.ts";
import type { Tx } from "./database.ts";
import { isUniqueViolation } from "./sql-errors.ts";
import { openTestDatabase, type TestDatabase } from "./testing.ts";

describe("rows by copy", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
    await sql`create table item (id int primary key, name text check (name <> 'refused'))`.execute(database.db);
  });
  beforeEach(async () => {
    await sql`truncate item`.execute(database.db);
  });
  after(() => database.close());

  const copy = (tx: Tx, lines: string, table = "item") => tx.executeQuery(copyQuery(`copy ${table} from stdin`, lines));
  const within = (work: (tx: Tx) => Promise<unknown>) => database.db.transaction().execute(work);
  const items = async () => {
    const { rows } = await sql<{ id: number; name: string | null }>`select id, name from item order by id`.execute(
      database.db,
    );
    return rows;
  };

  it("every text comes back as it was given, also one that looks like something else", async () => {
    const names = [
      "",
      null,
      COPY_NULL,
      "\\.",
      "\\",
      "tab\there",
      "two\nlines",
      "\r\n",
      "\\t",
      "NULL",
      "ü €",
      "null",
      '"',
    ];
    await within((tx) => copy(tx, names.map((name, id) => `${id}\t${copyValue(name)}\n`).join("")));
    assert.deepEqual(
      (await items()).map(({ name }) => name),
      names,
    );
  });

  it("more rows than one message or page holds, and none at all", async () => {
    const COUNT = 20_000;
    const lines = Array.from({ length: COUNT }, (_, id) => `${id}\t${"x".repeat(id % 100)}\n`).join("");
    await within(async (tx) => {
      await copy(tx, lines);
      await copy(tx, "");
    });
    const { rows } = await sql<{ count: bigint; letters: bigint }>`
      select count(*) as count, sum(length(name)) as letters from item`.execute(database.db);
    assert.deepEqual(rows, [{ count: BigInt(COUNT), letters: 990_000n }]);
  });

  const failures: readonly (readonly [what: string, lines: string, table: string | undefined, code: string])[] = [
    ["a check", "2\tfine\n3\trefused\n4\tfine\n", undefined, "23514"],
    ["a value that is none", `undefined\tx\n${"5\tx\n".repeat(50_000)}`, undefined, "22P02"],
    ["too few columns", "2\n", undefined, "22P04"],
    ["a table that does not exist", "2\tx\n", "nowhere", "42P01"],
  ];
  for (const [what, lines, table, code] of failures) {
    it(`${what}: the statement fails, its transaction keeps nothing, and the connection goes on`, async () => {
      const failing = within(async (tx) => {
        await copy(tx, "1\tbefore\n");
        await copy(tx, lines, table);
      });
      await assert.rejects(failing, { code });
      await within(async (tx) => {
        await copy(tx, "1\tafter\n");
        await sql`insert into item values (2, 'after')`.execute(tx);
      });
      assert.deepEqual(
        (await items()).map(({ name }) => name),
        ["after", "after"],
      );
    });
  }

  it("a key that exists is the same error as of an insert", async () => {
    await within((tx) => copy(tx, "1\tfirst\n"));
    await assert.rejects(
      within((tx) => copy(tx, "1\tsecond\n")),
      (error: unknown) => isUniqueViolation(error),
    );
    assert.deepEqual(await items(), [{ id: 1, name: "first" }]);
  });

  it("in a transaction that has failed it is refused as any statement", async () => {
    const failed = within(async (tx) => {
      await assert.rejects(sql`select 1 / 0`.execute(tx), { code: "22012" });
      await assert.rejects(copy(tx, "1\tx\n"), { code: "25P02" });
      throw new Error("enough");
    });
    await assert.rejects(failed, /enough/);
    assert.deepEqual(await items(), []);
  });
});
