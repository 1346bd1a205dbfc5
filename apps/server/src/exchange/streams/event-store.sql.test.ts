import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { createEventStore } from "./event-store.ts";
import { streamMigrations } from "./migrations.ts";

const row = (account: number, first_seq: number, last_seq: number, last_ms: number) => ({
  account,
  first_seq,
  last_seq,
  last_ms,
  events: Buffer.from([account, last_seq]),
});

describe("the store of private events", () => {
  let database: Database;

  before(async () => {
    database = await openTestDatabase(streamMigrations);
  });

  after(() => database.close());

  it("FUT-18: rows and cursor change together, once, and only from where the cursor stands", async () => {
    const store = createEventStore(database);
    const first = { command_number: 7, last_seq: 70, floor_seq: 70 };
    assert.deepEqual(await store.load(first), first);
    const next = { command_number: 9, last_seq: 99, floor_seq: 70 };
    const rows = [row(1, 80, 82, 1_000), row(1, 83, 99, 2_000), row(2, 80, 81, 1_000)];
    await store.write(rows, 7, next);
    await assert.rejects(store.write([row(3, 100, 101, 3_000)], 7, next), /not stored up to command 7/);
    assert.deepEqual(await store.load(first), next);
    assert.deepEqual(await store.read(3, 0, 10), { rows: [], floor_seq: 0 });

    const read = await store.read(1, 82, 10);
    assert.deepEqual(
      read.rows.map(({ events, ...figures }) => ({ ...figures, events: [...events] })),
      [{ account: 1, first_seq: 83, last_seq: 99, last_ms: 2_000, events: [1, 99] }],
    );
    assert.deepEqual(
      (await store.read(1, 0, 1)).rows.map(({ last_seq }) => last_seq),
      [82],
    );
    assert.deepEqual([await store.lastSeq(1), await store.lastSeq(2), await store.lastSeq(3)], [99, 81, 0]);
  });

  it("FUT-18: what is removed leaves word of it, to its account alone", async () => {
    const store = createEventStore(database);
    assert.equal(await store.prune(1_000), 2);
    const floors = await Promise.all([1, 2, 3].map(async (account) => (await store.read(account, 0, 10)).floor_seq));
    assert.deepEqual(floors, [82, 81, 0]);
    assert.equal(await store.prune(1_000), 0);
    assert.equal(await store.prune(2_000), 1);
    assert.deepEqual(await store.read(1, 0, 10), { rows: [], floor_seq: 99 });
  });
});
