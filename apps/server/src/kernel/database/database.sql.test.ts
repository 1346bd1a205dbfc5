import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { isUniqueViolation } from "./sql-errors.ts";
import { openTestDatabase, type TestDatabase } from "./testing.ts";

describe("database", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
    await sql`create table item (id int primary key, name text not null check (name <> ''))`.execute(database.db);
  });
  beforeEach(async () => {
    await sql`truncate item`.execute(database.db);
  });
  after(() => database.close());

  const ids = async () => {
    const { rows } = await sql<{ id: number }>`select id from item order by id`.execute(database.db);
    return rows.map((row) => row.id);
  };

  it("a statement outside an open transaction never takes part in it", async () => {
    const opened = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const transaction = database.db.transaction().execute(async (tx) => {
      await sql`insert into item values (1, 'inside')`.execute(tx);
      opened.resolve();
      await proceed.promise;
      throw new Error("changed my mind");
    });
    await opened.promise;
    const outside = sql`insert into item values (2, 'outside')`.execute(database.db);
    await sleep(20);
    proceed.resolve();
    await assert.rejects(transaction, /changed my mind/);
    await outside;
    assert.deepEqual(await ids(), [2]);
  });

  it("transactions that run at once each keep their own rows together", async () => {
    const work = Array.from({ length: 20 }, (_, index) =>
      database.db.transaction().execute(async (tx) => {
        await sql`insert into item values (${index * 2}, 'first')`.execute(tx);
        await sql`insert into item values (${index * 2 + 1}, 'second')`.execute(tx);
        if (index % 2 === 1) throw new Error("rolled back");
      }),
    );
    const outcomes = await Promise.allSettled(work);
    assert.equal(outcomes.filter((outcome) => outcome.status === "rejected").length, 10);
    assert.deepEqual(await ids(), Array.from({ length: 10 }, (_, index) => [index * 4, index * 4 + 1]).flat());
  });

  it("committing after a statement failed is an error, and nothing is kept", async () => {
    const transaction = database.db.transaction().execute(async (tx) => {
      await sql`insert into item values (1, 'kept?')`.execute(tx);
      await assert.rejects(sql`select 1 / 0`.execute(tx), { code: "22012" });
    });
    await assert.rejects(
      transaction,
      (error: Error) => error.name === "AbortedTransactionError" || Reflect.get(error, "code") === "25P02",
    );
    assert.deepEqual(await ids(), []);
    await sql`insert into item values (3, 'usable again')`.execute(database.db);
    assert.deepEqual(await ids(), [3]);
  });

  it("statements left over when their transaction fails are refused, not run outside of it", async () => {
    const statements: Promise<unknown>[] = [];
    const transaction = database.db.transaction().execute(async (tx) => {
      statements.push(sql`insert into item values (0, 'before')`.execute(tx), sql`select 1 / 0`.execute(tx));
      for (let id = 1; id <= 50; id++) statements.push(sql`insert into item values (${id}, 'left over')`.execute(tx));
      await Promise.all(statements);
    });
    await assert.rejects(transaction, { code: "22012" });
    const outcomes = await Promise.allSettled(statements);
    const refusals = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason.message);
    assert.equal(refusals.length, 51);
    for (const refusal of refusals.slice(1)) assert.match(refusal, /aborted|is over|already rolled back/);
    assert.deepEqual(await ids(), []);
  });

  it("a statement nobody waited for is refused once its transaction is committed", async () => {
    let forgotten: Promise<unknown> | undefined;
    await database.db.transaction().execute(async (tx) => {
      await sql`insert into item values (1, 'awaited')`.execute(tx);
      forgotten = assert.rejects(
        Promise.resolve().then(async () => {
          for (let turn = 0; turn < 3; turn++) await Promise.resolve();
          await sql`insert into item values (2, 'forgotten')`.execute(tx);
        }),
        /is over|already committed/,
      );
    });
    await forgotten;
    assert.deepEqual(await ids(), [1]);
  });

  it("a connection of one's own works on after a transaction on it", async () => {
    await database.db.connection().execute(async (connection) => {
      await connection.transaction().execute((tx) => sql`insert into item values (1, 'in')`.execute(tx));
      await sql`insert into item values (2, 'after')`.execute(connection);
    });
    assert.deepEqual(await ids(), [1, 2]);
  });

  it("a savepoint takes back a part", async () => {
    const tx = await database.db.startTransaction().execute();
    await sql`insert into item values (1, 'kept')`.execute(tx);
    const saved = await tx.savepoint("part").execute();
    await sql`insert into item values (2, 'taken back')`.execute(saved);
    await saved.rollbackToSavepoint("part").execute();
    await tx.commit().execute();
    assert.deepEqual(await ids(), [1]);
  });

  it("errors carry SQLSTATE, constraint, table, detail and message", async () => {
    await sql`insert into item values (1, 'one')`.execute(database.db);
    await assert.rejects(sql`insert into item values (1, 'again')`.execute(database.db), (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.equal(Reflect.get(error, "code"), "23505");
      assert.equal(Reflect.get(error, "constraint"), "item_pkey");
      assert.equal(Reflect.get(error, "table"), "item");
      assert.equal(Reflect.get(error, "detail"), "Key (id)=(1) already exists.");
      assert.match(error.message, /duplicate key value violates unique constraint "item_pkey"/);
      assert.ok(isUniqueViolation(error));
      assert.ok(isUniqueViolation(error, "item_pkey"));
      assert.ok(!isUniqueViolation(error, "another"));
      return true;
    });
    await assert.rejects(sql`insert into item values (2, '')`.execute(database.db), (error: unknown) => {
      assert.equal(Reflect.get(error as Error, "constraint"), "item_name_check");
      assert.ok(!isUniqueViolation(error));
      return true;
    });
    await assert.rejects(sql`insert into item values (3, null)`.execute(database.db), {
      code: "23502",
      column: "name",
    });
  });

  it("tells how many rows a statement changed", async () => {
    const db = database.db.$extendTables<{ item: { id: number; name: string } }>();
    const values = [1, 2, 3].map((id) => ({ id, name: `n${id}` }));
    assert.equal((await db.insertInto("item").values(values).executeTakeFirst()).numInsertedOrUpdatedRows, 3n);
    const updated = await db.updateTable("item").set({ name: "x" }).where("id", ">", 1).executeTakeFirst();
    assert.equal(updated.numUpdatedRows, 2n);
    assert.equal((await db.deleteFrom("item").where("id", "=", 9).executeTakeFirst()).numDeletedRows, 0n);
  });

  it("answers a ping, and says so when it cannot in time", async () => {
    await database.ping(5_000);
    const slow = sql`select pg_sleep(0.3)`.execute(database.db);
    // On a server the ping has its own connection; on the embedded database it waits for the previous statement.
    if (database.kind === "embedded") await assert.rejects(database.ping(50), /did not answer within 50 ms/);
    else await database.ping(5_000);
    await slow;
  });

  it("describes itself without a secret", () => {
    assert.match(database.description, database.kind === "embedded" ? /in memory$/ : /^PostgreSQL at [^@]+$/);
  });
});
