import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { extendDigest, NO_DIGEST } from "@bourse/engine";
import { sql } from "kysely";
import { ManualClock } from "../clock.ts";
import { openPostgresql } from "../database/postgresql.ts";
import { itOnServer, openTestDatabase, type TestDatabase, urlOf } from "../database/testing.ts";
import { readEdge } from "./edge.ts";
import { createOutbox } from "./outbox.ts";
import { deliveryState, markDelivered, numberMessages, undeliveredMessages } from "./store.ts";

const START = Date.parse("2026-03-01T00:00:00Z");
const clock = new ManualClock(START);
const outbox = createOutbox({ clock });
const NOW = new Date(START);

describe("outbox", () => {
  let database: TestDatabase;
  const enqueue = (ref: string) =>
    database.db.transaction().execute((tx) => outbox.enqueue(tx, { topic: "grant", ref, payload: { ref } }));
  const numbers = async () => {
    const messages = await undeliveredMessages(database.db, 10_000);
    return messages.map((message) => [message.seq, message.ref]);
  };

  before(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await sql`truncate outbox, kernel_state restart identity`.execute(database.db);
  });
  after(() => database.close());

  it("a message exists if and only if its transaction was committed", async () => {
    const rolledBack = database.db.transaction().execute(async (tx) => {
      await outbox.enqueue(tx, { topic: "grant", ref: "lost", payload: null });
      throw new Error("no");
    });
    await assert.rejects(rolledBack, /no/);
    assert.deepEqual(await enqueue("kept"), { duplicate: false, id: 2n });
    const rows = await database.db.selectFrom("outbox").selectAll().execute();
    assert.deepEqual(rows, [
      {
        id: 2n,
        topic: "grant",
        ref: "kept",
        payload: { ref: "kept" },
        created_at: NOW,
        dispatch_seq: null,
        delivered_at: null,
      },
    ]);
  });

  it("payloads of every JSON kind arrive as they were", async () => {
    const payloads = [null, "text", 5, true, [1, ["2"]], { a: { b: null } }];
    await database.db.transaction().execute(async (tx) => {
      for (const payload of payloads) await outbox.enqueue(tx, { topic: "t", ref: JSON.stringify(payload), payload });
    });
    await numberMessages(database.db, 100, NOW);
    const messages = await undeliveredMessages(database.db, 100);
    assert.deepEqual(
      messages.map((message) => message.payload),
      payloads,
    );
  });

  it("a ref is written once; a repetition says so and leaves the transaction usable", async () => {
    await enqueue("same");
    await database.db.transaction().execute(async (tx) => {
      assert.deepEqual(await outbox.enqueue(tx, { topic: "t", ref: "same", payload: 1 }), { duplicate: true });
      assert.equal((await outbox.enqueue(tx, { topic: "t", ref: "other", payload: 2 })).duplicate, false);
      assert.equal((await outbox.enqueue(tx, { topic: "t", ref: "other", payload: 3 })).duplicate, true);
    });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => enqueue("raced")));
    assert.equal(outcomes.filter((outcome) => !outcome.duplicate).length, 1);
    await numberMessages(database.db, 100, NOW);
    assert.deepEqual(await numbers(), [
      [1n, "same"],
      [2n, "other"],
      [3n, "raced"],
    ]);
  });

  it("many are written at once, as they are and in their order", async () => {
    const payloads = [null, "text", 5, true, [1, ["2"]], { a: { b: null } }, 'it\'s "quoted" \\ {1,2}'];
    const messages = Array.from({ length: 1_000 }, (_, at) => ({
      topic: at % 2 === 0 ? "grant" : "recall",
      ref: `many ${999 - at}`,
      payload: payloads[at % payloads.length] ?? null,
    }));
    await enqueue("before");
    await database.db.transaction().execute((tx) => outbox.enqueueAll(tx, messages));
    await enqueue("after");
    await numberMessages(database.db, 10_000, NOW);
    const written = await undeliveredMessages(database.db, 10_000);
    assert.deepEqual(
      written.slice(1, -1).map(({ topic, ref, payload }) => ({ topic, ref, payload })),
      messages,
    );
    assert.deepEqual([written[0]?.ref, written.at(-1)?.ref, written.length], ["before", "after", 1_002]);
    const { created_at } = await database.db.selectFrom("outbox").select("created_at").executeTakeFirstOrThrow();
    assert.deepEqual(created_at, NOW);
  });

  it("many at once are all written or none: a ref that is taken, or named twice, fails the transaction", async () => {
    const all = (refs: readonly string[]) =>
      database.db.transaction().execute((tx) =>
        outbox.enqueueAll(
          tx,
          refs.map((ref) => ({ topic: "t", ref, payload: null })),
        ),
      );
    await enqueue("taken");
    await assert.rejects(all(["new", "taken"]), /duplicate key/);
    await assert.rejects(all(["twice", "twice"]), /duplicate key/);
    await all([]);
    await numberMessages(database.db, 100, NOW);
    assert.deepEqual(await numbers(), [[1n, "taken"]]);
  });

  it("numbers are contiguous from 1 in the order of ids, however many at a time", async () => {
    for (let index = 1; index <= 7; index++) await enqueue(`m${index}`);
    assert.equal(await numberMessages(database.db, 3, NOW), 3);
    assert.equal(await numberMessages(database.db, 3, NOW), 3);
    assert.equal(await numberMessages(database.db, 3, NOW), 1);
    assert.equal(await numberMessages(database.db, 3, NOW), 0);
    assert.deepEqual(
      await numbers(),
      Array.from({ length: 7 }, (_, index) => [BigInt(index + 1), `m${index + 1}`]),
    );
  });

  it("a message committed late with a smaller id gets the next number", async () => {
    await enqueue("first");
    await enqueue("second");
    await sql`update outbox set id = default where ref = 'first'`.execute(database.db);
    await numberMessages(database.db, 100, NOW);
    await sql`
      insert into outbox (id, topic, ref, payload, created_at) overriding system value
      values (1, 't', 'late', 'null', ${NOW})`.execute(database.db);
    await numberMessages(database.db, 100, NOW);
    assert.deepEqual(await numbers(), [
      [1n, "second"],
      [2n, "first"],
      [3n, "late"],
    ]);
  });

  itOnServer("a transaction that is still open does not hold up the ones committed after it", async () => {
    const proceed = Promise.withResolvers<void>();
    const enqueued = Promise.withResolvers<void>();
    const slow = database.db.transaction().execute(async (tx) => {
      await outbox.enqueue(tx, { topic: "t", ref: "slow", payload: 1 });
      enqueued.resolve();
      await proceed.promise;
    });
    await enqueued.promise;
    await enqueue("quick");
    assert.equal(await numberMessages(database.db, 100, NOW), 1);
    proceed.resolve();
    await slow;
    assert.equal(await numberMessages(database.db, 100, NOW), 1);
    assert.deepEqual(await numbers(), [
      [1n, "quick"],
      [2n, "slow"],
    ]);
  });

  itOnServer("two processes that number at once never give one number twice nor leave one out", async () => {
    const databaseUrl = urlOf(database);
    const other = await openPostgresql(databaseUrl);
    await database.db.transaction().execute(async (tx) => {
      for (let index = 0; index < 300; index++)
        await outbox.enqueue(tx, { topic: "t", ref: `${index}`, payload: index });
    });
    const rounds = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? database : other).db);
    const counts = await Promise.all(rounds.map((db) => numberMessages(db, 10, NOW)));
    await other.close();
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      300,
    );
    assert.deepEqual(
      await numbers(),
      Array.from({ length: 300 }, (_, index) => [BigInt(index + 1), `${index}`]),
    );
  });

  it("LOG-8: pruning removes the first messages, those delivered before the time, and numbering goes on", async () => {
    for (const ref of ["a", "b", "c", "d"]) await enqueue(ref);
    await numberMessages(database.db, 3, NOW);
    await markDelivered(database.db, 1n, 2n, new Date(START));
    await markDelivered(database.db, 3n, 3n, new Date(START + 5));
    assert.equal(await outbox.prune(database.db, new Date(START), 0), 0);
    assert.equal(await outbox.prune(database.db, new Date(START + 5), 0), 2);
    assert.equal(await outbox.prune(database.db, new Date(START + 6), 0), 1);
    assert.deepEqual(await deliveryState(database.db), { pending: 1, lastSeq: 3n });
    await numberMessages(database.db, 3, NOW);
    assert.deepEqual(await numbers(), [[4n, "d"]]);
    assert.deepEqual(await deliveryState(database.db), { pending: 1, lastSeq: 3n });
    await markDelivered(database.db, 4n, 4n, new Date(START + 5));
    assert.deepEqual(await deliveryState(database.db), { pending: 0, lastSeq: 4n });
  });

  it("LOG-8: the edge moves with what was pruned, in the same transaction, and has the engine's digest of it", async () => {
    for (const ref of ["a", "b", "c", "d"]) await enqueue(ref);
    await numberMessages(database.db, 4, NOW);
    await markDelivered(database.db, 1n, 1n, new Date(START + 9));
    await markDelivered(database.db, 2n, 3n, NOW);
    // The second was delivered earlier by the clock, but nothing behind a kept message goes.
    assert.equal(await outbox.prune(database.db, new Date(START + 5), 1), 0);
    assert.deepEqual(await readEdge(database.db), { number: 0, digest: NO_DIGEST });
    assert.equal(await outbox.prune(database.db, new Date(START + 10), 1), 3);
    // The first is from before references.
    const digest = extendDigest(extendDigest(NO_DIGEST, 2, "b"), 3, "c");
    assert.deepEqual(await readEdge(database.db), { number: 3, digest });
    await markDelivered(database.db, 4n, 4n, NOW);
    await sql`delete from outbox where ref = 'd'`.execute(database.db);
    await enqueue("e");
    await numberMessages(database.db, 4, NOW);
    await markDelivered(database.db, 5n, 5n, NOW);
    await assert.rejects(outbox.prune(database.db, new Date(START + 10), 1), /lacks message 4/);
    assert.equal((await readEdge(database.db)).number, 3);
  });
});
