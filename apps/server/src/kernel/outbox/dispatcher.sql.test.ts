import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { ManualClock } from "../clock.ts";
import { openTestDatabase, type TestDatabase } from "../database/testing.ts";
import { type DispatcherOptions, type NumberedMessage, OutboxDispatcher } from "./dispatcher.ts";
import { createOutbox } from "./outbox.ts";

const START = Date.parse("2026-03-01T00:00:00Z");
const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

const untilWoken = (_duration_ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
    if (signal.aborted) resolve();
  });

/** A receiver by the contract: it keeps the last applied number and ignores any that is not greater. */
class Receiver {
  readonly applied: { seq: bigint; ref: string }[] = [];
  attempts = 0;
  #last = 0n;

  apply({ seq, ref }: NumberedMessage): void {
    this.attempts += 1;
    if (seq <= this.#last) return;
    assert.equal(seq, this.#last + 1n, "numbers arrive without a gap");
    this.#last = seq;
    this.applied.push({ seq, ref });
  }
}

describe("outbox dispatcher", () => {
  let database: TestDatabase;
  let clock: ManualClock;
  let dispatcher: OutboxDispatcher;
  const errors: Error[] = [];

  const enqueue = (...refs: string[]) =>
    database.db.transaction().execute(async (tx) => {
      for (const ref of refs) await createOutbox({ clock }).enqueue(tx, { topic: "t", ref, payload: { ref } });
    });
  const create = (options: Partial<DispatcherOptions> & Pick<DispatcherOptions, "deliver">) => {
    const onError = (error: Error) => void errors.push(error);
    dispatcher = new OutboxDispatcher({ database, clock, onError, sleep: soon, ...options });
    return dispatcher;
  };

  before(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    clock = new ManualClock(START);
    errors.length = 0;
    await sql`truncate outbox, kernel_state restart identity`.execute(database.db);
  });
  afterEach(() => dispatcher.stop());
  after(() => database.close());

  it("delivers what was committed before and after its start, in order, and marks it", async () => {
    const received: NumberedMessage[] = [];
    await enqueue("a", "b");
    create({ deliver: async (message) => void received.push(message), batch: 2 }).start();
    await enqueue("c", "d", "e");
    await dispatcher.idle();
    assert.deepEqual(
      received,
      ["a", "b", "c", "d", "e"].map((ref, index) => ({ seq: BigInt(index + 1), topic: "t", ref, payload: { ref } })),
    );
    assert.deepEqual(await dispatcher.status(), { pending: 0, lastSeq: 5n, lastError: null, failing_since: null });
    const rows = await database.db.selectFrom("outbox").select("delivered_at").execute();
    assert.deepEqual(rows, Array(5).fill({ delivered_at: new Date(START) }));
  });

  it("a notice wakes it at once; without one it looks at every poll", async () => {
    const receiver = new Receiver();
    const naps: { duration_ms: number; end(): void }[] = [];
    const sleep = (duration_ms: number, signal: AbortSignal) => {
      const nap = Promise.withResolvers<void>();
      naps.push({ duration_ms, end: nap.resolve });
      return Promise.race([nap.promise, untilWoken(duration_ms, signal)]);
    };
    const asleep = async (count: number) => {
      while (naps.length < count) await soon();
    };
    create({ deliver: async (message) => receiver.apply(message), poll_ms: 777, sleep }).start();
    await asleep(1);
    assert.equal(naps[0]?.duration_ms, 777);
    await enqueue("polled");
    assert.equal(receiver.applied.length, 0);
    naps[0]?.end();
    await asleep(2);
    assert.equal(receiver.applied.length, 1);
    await enqueue("noticed");
    dispatcher.notify();
    await asleep(3);
    assert.equal(receiver.applied.length, 2);
  });

  it("a failing message holds up the ones behind it, is tried again with growing pauses, and shows in the status", async () => {
    const receiver = new Receiver();
    const pauses: number[] = [];
    let broken = true;
    const tried: string[] = [];
    const failedOften = Promise.withResolvers<void>();
    create({
      async deliver(message) {
        tried.push(message.ref);
        if (broken && message.ref === "b") throw new Error("engine is away");
        receiver.apply(message);
      },
      async sleep(duration_ms) {
        if (broken) pauses.push(duration_ms);
        if (pauses.length === 9) failedOften.resolve();
        await soon();
      },
    });
    await enqueue("a", "b", "c");
    dispatcher.start();
    const idle = dispatcher.idle();
    await failedOften.promise;
    clock.advance(60_000);
    assert.deepEqual(await dispatcher.status(), {
      pending: 2,
      lastSeq: 1n,
      lastError: "engine is away",
      failing_since: new Date(START),
    });
    broken = false;
    await idle;
    assert.deepEqual(pauses.slice(0, 9), [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600]);
    assert.ok(pauses.slice(9).every((pause_ms) => pause_ms === 30_000));
    assert.equal(tried.filter((ref) => ref === "a").length, 1);
    assert.deepEqual(
      receiver.applied.map(({ ref }) => ref),
      ["a", "b", "c"],
    );
    assert.ok(errors.length >= 9 && errors.every((error) => error.message === "engine is away"));
    assert.deepEqual(await dispatcher.status(), { pending: 0, lastSeq: 3n, lastError: null, failing_since: null });
  });

  it("messages that are sure are handed over together, in order; one that is not waits for those before and holds up the rest", async () => {
    const begun: string[] = [];
    const gates = new Map<string, PromiseWithResolvers<void>>();
    await enqueue("a", "b", "c?", "d", "e");
    create({
      isSure: ({ ref }) => !ref.endsWith("?"),
      deliver: ({ ref }) => {
        begun.push(ref);
        gates.set(ref, Promise.withResolvers<void>());
        return gates.get(ref)!.promise;
      },
    }).start();
    const reached = async (count: number) => {
      while (begun.length < count) await soon();
    };
    await reached(2);
    await soon();
    assert.deepEqual(begun, ["a", "b"]);
    gates.get("a")!.resolve();
    await soon();
    assert.deepEqual(begun, ["a", "b"], "both must be held durably first");
    gates.get("b")!.resolve();
    await reached(3);
    gates.get("c?")!.resolve();
    await reached(5);
    assert.deepEqual(begun, ["a", "b", "c?", "d", "e"]);
    gates.get("d")!.resolve();
    gates.get("e")!.resolve();
    await dispatcher.idle();
    assert.deepEqual(errors, []);
  });

  it("of messages handed over together, those before the first failure are done and the rest comes again", async () => {
    const receiver = new Receiver();
    let isBroken = true;
    await enqueue("a", "b", "c", "d");
    create({
      isSure: () => true,
      async deliver(message) {
        if (isBroken && message.seq >= 3n) throw new Error("it has stopped");
        receiver.apply(message);
      },
    }).start();
    while (errors.length === 0) await soon();
    assert.equal(errors[0]?.message, "it has stopped");
    isBroken = false;
    await dispatcher.idle();
    assert.deepEqual(
      receiver.applied.map(({ ref }) => ref),
      ["a", "b", "c", "d"],
    );
  });

  it("a receiver that takes a message behind one it has refused is named: nothing is marked beyond", async () => {
    await enqueue("a", "b", "c");
    create({
      isSure: () => true,
      async deliver({ ref }) {
        if (ref === "b") throw new Error("not this one");
      },
    }).start();
    while (errors.length === 0) await soon();
    assert.match(errors[0]?.message ?? "", /message 2 was passed over: not this one/);
    const rows = await database.db.selectFrom("outbox").select(["ref", "delivered_at"]).orderBy("id").execute();
    assert.deepEqual(
      rows.map(({ delivered_at }) => delivered_at !== null),
      [true, false, false],
    );
  });

  it("stopping finishes the delivery under way and starts no other", async () => {
    const begun = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const delivered: string[] = [];
    create({
      sleep: untilWoken,
      async deliver({ ref }) {
        begun.resolve();
        await proceed.promise;
        delivered.push(ref);
      },
    }).start();
    await dispatcher.idle();
    await enqueue("a", "b");
    const idle = assert.rejects(dispatcher.idle(), /was stopped/);
    await begun.promise;
    const stopped = dispatcher.stop();
    proceed.resolve();
    await stopped;
    await idle;
    assert.deepEqual(delivered, ["a"]);
    assert.deepEqual(await dispatcher.status(), { pending: 1, lastSeq: 1n, lastError: null, failing_since: null });
    await assert.rejects(dispatcher.idle(), /is not running/);
    dispatcher.start();
    assert.throws(() => dispatcher.start(), /running already/);
    await dispatcher.idle();
    assert.deepEqual(delivered, ["a", "b"]);
  });

  it("the database is free while a delivery takes its time", async () => {
    await enqueue("a");
    const receiver = new Receiver();
    create({
      async deliver(message) {
        // On the embedded database this would wait for ever if a transaction were open around the delivery.
        if (message.ref === "a") await enqueue("answer");
        receiver.apply(message);
      },
    }).start();
    await dispatcher.idle();
    assert.deepEqual(
      receiver.applied.map(({ ref }) => ref),
      ["a", "answer"],
    );
  });

  it("a message delivered but not marked, as after a crash, comes again under the same number", async () => {
    const receiver = new Receiver();
    await enqueue("a", "b");
    create({ deliver: async (message) => receiver.apply(message) }).start();
    await dispatcher.idle();
    await dispatcher.stop();
    await sql`update outbox set delivered_at = null where ref = 'b'`.execute(database.db);
    create({ deliver: async (message) => receiver.apply(message) }).start();
    await dispatcher.idle();
    assert.equal(receiver.attempts, 3);
    assert.deepEqual(receiver.applied, [
      { seq: 1n, ref: "a" },
      { seq: 2n, ref: "b" },
    ]);
  });

  it("whatever fails or restarts, every committed message is applied exactly once in the order of its number", async () => {
    const plan = fc.record({
      transactions: fc.array(fc.record({ size: fc.integer({ min: 1, max: 4 }), commit: fc.boolean() }), {
        minLength: 1,
        maxLength: 25,
      }),
      // The result of each attempt: fine, refused, or applied with the reply lost.
      outcomes: fc.array(fc.constantFrom("fine", "fine", "refused", "unknown"), { maxLength: 40 }),
      restartEvery: fc.integer({ min: 2, max: 9 }),
      batch: fc.integer({ min: 1, max: 7 }),
    });
    let run = 0;
    const check = fc.asyncProperty(plan, async ({ transactions, outcomes, restartEvery, batch }) => {
      run += 1;
      await sql`truncate outbox, kernel_state restart identity`.execute(database.db);
      const receiver = new Receiver();
      const committed: string[] = [];
      const deliver = async (message: NumberedMessage) => {
        const outcome = outcomes[receiver.attempts] ?? "fine";
        if (outcome === "refused") {
          receiver.attempts += 1;
          throw new Error("refused");
        }
        receiver.apply(message);
        if (outcome === "unknown") throw new Error("connection lost");
      };
      create({ deliver, batch }).start();
      let restarting = Promise.resolve();
      const restart = () => {
        restarting = restarting.then(async () => {
          await dispatcher.stop();
          create({ deliver, batch }).start();
        });
        return restarting;
      };
      const writes = transactions.map(async ({ size, commit }, index) => {
        const refs = Array.from({ length: size }, (_, part) => `${run}-${index}-${part}`);
        const write = database.db.transaction().execute(async (tx) => {
          for (const ref of refs) await createOutbox({ clock }).enqueue(tx, { topic: "t", ref, payload: null });
          if (!commit) throw new Error("rolled back");
        });
        await write.then(
          () => committed.push(...refs),
          () => undefined,
        );
        if (index % restartEvery === 0) await restart();
      });
      await Promise.all(writes);
      await dispatcher.idle();
      await dispatcher.stop();
      assert.deepEqual(receiver.applied.map(({ ref }) => ref).sort(), [...committed].sort());
      const rows = await database.db.selectFrom("outbox").selectAll().orderBy("dispatch_seq").execute();
      assert.deepEqual(
        rows.map((row) => ({ seq: row.dispatch_seq, ref: row.ref })),
        receiver.applied,
      );
      assert.ok(rows.every((row) => row.delivered_at !== null));
    });
    await fc.assert(check, { numRuns: 12, seed: 20260301 });
  });
});
