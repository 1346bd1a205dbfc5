import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { createJobLocks, type JobLocks, lockId } from "./locks.ts";
import { openPostgresql } from "./postgresql.ts";
import { itOnServer, openTestDatabase, type TestDatabase, urlOf } from "./testing.ts";

describe("job locks", () => {
  let database: TestDatabase;
  let locks: JobLocks;
  before(async () => {
    database = await openTestDatabase();
    locks = createJobLocks(database);
    await sql`create table counter (n int)`.execute(database.db);
    await sql`insert into counter values (0)`.execute(database.db);
  });
  after(() => database.close());

  it("a name always has the same number", () => {
    assert.equal(lockId("settlement"), 2867158299716332940n);
    assert.notEqual(lockId("settlement"), lockId("funding"));
  });

  it("holders of one name run one after the other, in the order they came", async () => {
    const steps: string[] = [];
    const job = (id: number) =>
      locks.withLock("job", async (tx) => {
        steps.push(`${id} starts`);
        const { rows } = await sql<{ n: number }>`select n from counter`.execute(tx);
        await sql`update counter set n = ${(rows[0]?.n ?? 0) + 1}`.execute(tx);
        steps.push(`${id} ends`);
        return id;
      });
    assert.deepEqual(await Promise.all([1, 2, 3].map(job)), [1, 2, 3]);
    assert.deepEqual(steps, ["1 starts", "1 ends", "2 starts", "2 ends", "3 starts", "3 ends"]);
    assert.deepEqual((await sql`select n from counter`.execute(database.db)).rows, [{ n: 3 }]);
  });

  it("a failure frees the lock and rolls back", async () => {
    const failed = locks.withLock("job", async (tx) => {
      await sql`update counter set n = 99`.execute(tx);
      throw new Error("job failed");
    });
    await assert.rejects(failed, /job failed/);
    const seen = await locks.withLock("job", async (tx) => (await sql`select n from counter`.execute(tx)).rows);
    assert.deepEqual(seen, [{ n: 3 }]);
  });

  it("trying gives undefined while this process holds the lock", async () => {
    const proceed = Promise.withResolvers<void>();
    const holder = locks.withLock("tried", () => proceed.promise);
    assert.equal(await locks.tryWithLock("tried", async () => "ran"), undefined);
    proceed.resolve();
    await holder;
    assert.equal(await locks.tryWithLock("tried", async () => "ran"), "ran");
  });

  it("a lock inside a lock is refused at once, since the embedded database could only wait for itself", async () => {
    const nested = locks.withLock("outer", () => locks.withLock("inner", async () => "never"));
    await assert.rejects(nested, /the lock inner was asked for inside the lock outer/);
    assert.equal(await locks.withLock("inner", async () => "free"), "free");
  });

  it("work begun inside a lock may take locks after it", async () => {
    let later: Promise<string> | undefined;
    const proceed = Promise.withResolvers<void>();
    await locks.withLock("outer", async () => {
      later = proceed.promise.then(() => locks.withLock("inner", async () => "ran"));
    });
    proceed.resolve();
    assert.equal(await later, "ran");
  });

  itOnServer("waiting inside this process holds no connection", async () => {
    const entered = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const holders = Array.from({ length: 25 }, () =>
      locks.withLock("popular", () => {
        entered.resolve();
        return proceed.promise;
      }),
    );
    await entered.promise;
    await database.ping(5_000);
    proceed.resolve();
    await Promise.all(holders);
  });

  itOnServer("another process is kept out", async () => {
    const databaseUrl = urlOf(database);
    const other = await openPostgresql(databaseUrl);
    const otherLocks = createJobLocks(other);
    const steps: string[] = [];
    await locks.withLock("shared", async () => {
      assert.equal(await otherLocks.tryWithLock("shared", async () => "ran"), undefined);
      assert.equal(await otherLocks.tryWithLock("unrelated", async () => "ran"), "ran");
      steps.push("first");
    });
    await otherLocks.withLock("shared", async () => steps.push("second"));
    assert.deepEqual(steps, ["first", "second"]);
    await other.close();
  });
});
