import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { waitFor } from "../../../../../tests/support/waiting.ts";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { projectorMigrations } from "./migrations.ts";
import type { Projector, ProjectorOptions } from "./projector.ts";
import { createTestExchange, createTestProjector, digestTables, emptyTables, type TestExchange } from "./testing.ts";
import { ProjectionTimeout } from "./waiting.ts";

type Digests = Awaited<ReturnType<typeof digestTables>>;

/** The same database, whose transactions go through `around`. */
function withTransactions(
  { db }: Pick<Database, "db">,
  around: (commit: () => Promise<unknown>) => Promise<unknown>,
): Pick<Database, "db"> {
  const transaction = () => ({
    execute: (action: Parameters<ReturnType<typeof db.transaction>["execute"]>[0]) =>
      around(() => db.transaction().execute(action)),
  });
  const get = (target: object, name: string) => {
    if (name === "transaction") return transaction;
    const value: unknown = Reflect.get(target, name);
    return typeof value === "function" ? value.bind(target) : value;
  };
  return { db: new Proxy(db, { get: (target, name) => get(target, String(name)) }) };
}

describe("projector", () => {
  const COMMANDS = 1_500;
  let database: TestDatabase;
  let test: TestExchange;
  let expected: Digests;
  let running: Projector[] = [];

  const create = async (options: Partial<ProjectorOptions> = {}, on: Pick<Database, "db"> = database) => {
    const projector = await createTestProjector(on, test, options);
    running.push(projector);
    return projector;
  };
  const hearAll = (projector: Projector, from = 1, to = COMMANDS) => {
    for (const applied of test.applied.slice(from - 1, to)) projector.hear(applied);
  };
  const events = (from: number, to: number) =>
    test.applied.slice(from - 1, to).reduce((sum, applied) => sum + applied.events.length, 0);

  before(async () => {
    database = await openTestDatabase(projectorMigrations);
    await sql`create table heard (number bigint not null, events int not null)`.execute(database.db);
    test = createTestExchange(4);
    await test.run(COMMANDS);
    const projector = await create();
    hearAll(projector);
    projector.start();
    await projector.stop(60_000);
    expected = await digestTables(database);
    assert.ok(expected["exchange_fill"]!.rows > 300);
  });
  beforeEach(async () => {
    await emptyTables(database);
    await sql`truncate heard`.execute(database.db);
  });
  afterEach(async () => {
    for (const projector of running) await projector.stop(0);
    running = [];
  });
  after(() => database.close());

  /** A projection that notes what it is told of. */
  const noting: NonNullable<ProjectorOptions["projections"]>[number] = async (tx, { applied, first, last }) => {
    assert.deepEqual([applied[0]?.number, applied.at(-1)?.number], [first, last]);
    for (const { number, events: own } of applied) {
      await sql`insert into heard values (${number}, ${own.length})`.execute(tx);
    }
  };
  const assertHeardOnce = async (to = COMMANDS) => {
    const { rows } = await sql<{ count: bigint; first: bigint; last: bigint; numbers: bigint; events: bigint }>`
      select count(*) as count, min(number) as first, max(number) as last, count(distinct number) as numbers,
             sum(events)::bigint as events from heard`.execute(database.db);
    const { count, first, last, numbers, events: heard } = rows[0]!;
    assert.deepEqual([count, first, last, numbers], [BigInt(to), 1n, BigInt(to), BigInt(to)]);
    assert.equal(Number(heard), events(1, to));
  };

  it("restarted wherever it was, with batches of any size, it writes the same tables", async () => {
    let cursor = 0;
    for (const [step, mostEvents] of [1, 700, 40, 3, 333, 1_000, 90].entries()) {
      const projector = await create({ mostEvents });
      // Recovery begins at a snapshot before the cursor: what is written already comes again.
      hearAll(projector, Math.max(1, cursor - 100 * step), Math.min(COMMANDS, cursor + 5 + 90 * step));
      projector.start();
      await projector.waitFor(Math.min(COMMANDS, cursor + 1 + 40 * step), 60_000);
      await projector.stop(0);
      assert.ok(projector.cursor > cursor);
      cursor = projector.cursor;
    }
    const last = await create({ mostEvents: 600 });
    hearAll(last);
    last.start();
    await last.stop(60_000);
    assert.deepEqual(await digestTables(database), expected);
  });

  it("a projection that fails in the middle leaves nothing half written, and everything is caught up later", async () => {
    let attempts = 0;
    const errors: string[] = [];
    const duringFailure: Digests[] = [];
    const projector = await create({
      mostEvents: 100,
      projections: [
        noting,
        async () => {
          attempts += 1;
          if (attempts % 3 !== 0) throw new Error(`attempt ${attempts}`);
        },
      ],
      onError: (error) => errors.push(error.message),
      sleep: async () => {
        // Written by batches that passed, and by nothing else.
        if (attempts < 30) duringFailure.push(await digestTables(database));
      },
    });
    hearAll(projector);
    projector.start();
    await projector.waitFor(COMMANDS, 60_000);
    assert.ok(errors.length > 20);
    assert.deepEqual(await digestTables(database), expected);
    await assertHeardOnce();
    assert.equal(duringFailure[0]!["exchange_market"]!.rows, 0);
    for (let at = 0; at + 1 < duringFailure.length; at += 2) assert.deepEqual(duringFailure[at], duringFailure[at + 1]);
    const { failing_since, lastError } = projector.status();
    assert.deepEqual([failing_since, lastError], [null, null]);
  });

  it("the database is away for a while: it backs off, says so, and goes on", async () => {
    let isAway = true;
    const pauses: number[] = [];
    const enough = Promise.withResolvers<void>();
    const away = withTransactions(database, (commit) =>
      isAway ? Promise.reject(new Error("no connection")) : commit(),
    );
    const projector = await create(
      {
        onError: () => undefined,
        sleep: async (pause_ms) => {
          pauses.push(pause_ms);
          if (pauses.length === 10) enough.resolve();
          await new Promise((resolve) => setImmediate(resolve));
        },
      },
      away,
    );
    hearAll(projector);
    projector.start();
    await enough.promise;
    const status = projector.status();
    assert.deepEqual([status.cursor, status.lastHeard, status.lag_commands], [0, COMMANDS, COMMANDS]);
    assert.equal(status.lag_ms, test.clock.now() - test.applied[0]!.time_ms);
    assert.deepEqual([status.lastError, status.failing_since], ["no connection", new Date(test.clock.now())]);
    isAway = false;
    await projector.waitFor(COMMANDS, 60_000);
    assert.deepEqual(pauses.slice(0, 9), [50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    assert.deepEqual(await digestTables(database), expected);
  });

  it("a commit whose answer got lost counts once", async () => {
    let transactions = 0;
    const lossy = withTransactions(database, async (commit) => {
      await commit();
      transactions += 1;
      if (transactions % 2 === 0) throw new Error("connection lost");
    });
    const projector = await create({ mostEvents: 200, projections: [noting], onError: () => undefined }, lossy);
    hearAll(projector);
    projector.start();
    await projector.waitFor(COMMANDS, 60_000);
    assert.ok(transactions > 5);
    assert.deepEqual(await digestTables(database), expected);
    await assertHeardOnce();
  });

  it("what does not fit into memory is read again from the log", async () => {
    let reread = 0;
    const projector = await create({
      mostQueued: 50,
      mostEvents: 30,
      reread: (from, to) => {
        reread += 1;
        return test.reread(from, to);
      },
    });
    projector.start();
    for (let from = 1; from <= COMMANDS; from += 150) {
      hearAll(projector, from, from + 149);
      await projector.waitFor(from + 20, 60_000);
    }
    await projector.stop(60_000);
    assert.ok(reread >= 5);
    assert.equal(projector.isSpilled, false);
    assert.deepEqual(await digestTables(database), expected);
  });

  it("far behind it writes more at once, and little again once it has caught up", async () => {
    const USUAL = 40;
    const FAR = 1_000;
    const CAUGHT_UP = FAR / 4;
    const batches: { readonly left: number; readonly commands: number }[] = [];
    let written = 0;
    const onWritten = (commands: number) => {
      batches.push({ left: COMMANDS - written, commands });
      written += commands;
    };
    const longestWrite_ms = 60_000;
    const projector = await create({ mostEvents: USUAL, longestWrite_ms, farBehind_commands: FAR, onWritten });
    hearAll(projector);
    projector.start();
    await projector.stop(60_000);
    const most = (ofThese: typeof batches) => Math.max(...ofThese.map(({ commands }) => commands));
    assert.ok(most(batches.slice(0, 1)) <= USUAL);
    assert.ok(most(batches) > 3 * USUAL, `${most(batches)} at most`);
    const near = batches.filter(({ left }) => left <= CAUGHT_UP);
    assert.ok(near.length > 1 && most(near) <= USUAL, `${most(near)} at most in the end`);
    assert.deepEqual(await digestTables(database), expected);
  });

  it("held, it writes what has come together once somebody waits for it, a batch is full or it is let go", async () => {
    const batches: number[] = [];
    const projector = await create({
      mostEvents: 400,
      longestWrite_ms: 60_000,
      onWritten: (commands) => batches.push(commands),
    });
    const letGo = projector.hold();
    projector.start();
    const hear = async (from: number, to: number) => {
      for (let number = from; number <= to; number += 1) {
        hearAll(projector, number, number);
        await nextTurn();
      }
    };
    await hear(1, 20);
    assert.equal(projector.cursor, 0);
    await projector.waitFor(20, 60_000);
    assert.equal(projector.cursor, 20);
    await hear(21, 40);
    assert.deepEqual([projector.cursor, batches], [20, [20]]);
    letGo();
    await waitFor(() => projector.cursor === 40, { what: "the rest to be written" });
    assert.deepEqual(batches, [20, 20]);
    projector.hold();
    hearAll(projector, 41);
    await waitFor(() => COMMANDS - projector.cursor < 400, { what: "all but the last batch to be written" });
    await projector.stop(60_000);
    assert.deepEqual(await digestTables(database), expected);
  });

  it("somebody else has moved the cursor: it stops, writes nothing and says so", async () => {
    const faults: string[] = [];
    const projector = await create({ onFault: (error) => faults.push(error.message) });
    hearAll(projector);
    await sql`update exchange_cursor set command_number = 7`.execute(database.db);
    projector.start();
    await projector.stop(60_000);
    assert.deepEqual(faults, ["the projector's cursor should stand at command 0, but stands at 7"]);
    assert.equal(projector.status().fault, faults[0]);
    assert.equal((await digestTables(database))["exchange_order"]!.rows, 0);
    hearAll(projector, COMMANDS, COMMANDS);
    await assert.rejects(projector.waitFor(1, 1), ProjectionTimeout);
  });

  it("a command that is missing stops it before anything wrong is written", async () => {
    const faults: string[] = [];
    const projector = await create({ onFault: (error) => faults.push(error.message) });
    hearAll(projector, 1, 10);
    hearAll(projector, 12, 20);
    projector.start();
    await projector.stop();
    assert.deepEqual(faults, ["command 12 came after 10: some are missing"]);
    assert.equal(projector.cursor, 0);
  });

  it("stopping writes everything that is queued; with the database away it leaves it for the next start", async () => {
    const projector = await create();
    projector.start();
    hearAll(projector);
    await projector.stop(60_000);
    assert.equal(projector.cursor, COMMANDS);
    await emptyTables(database);
    const away = withTransactions(database, () => Promise.reject(new Error("no connection")));
    const stranded = await create({ onError: () => undefined }, away);
    hearAll(stranded);
    stranded.start();
    await stranded.stop(60_000);
    assert.equal(stranded.cursor, 0);
  });

  it("an account waits for its own events only, and not longer than it wants to", async () => {
    const gate = Promise.withResolvers<void>();
    const isReached = Promise.withResolvers<void>();
    const held = withTransactions(database, async (commit) => {
      isReached.resolve();
      await gate.promise;
      await commit();
    });
    const projector = await create({}, held);
    hearAll(projector, 1, 12);
    const account = test.engine.state.accounts.count;
    assert.equal(
      test.applied.slice(0, 12).some(({ events: own }) => own.some((e) => "account" in e && e.account === account)),
      false,
    );
    assert.equal(
      test.applied.slice(0, 12).some(({ events: own }) => own.some((e) => "account" in e && e.account === 1)),
      true,
    );
    projector.start();
    await isReached.promise;
    await projector.waitForAccount(account, 1);
    await assert.rejects(projector.waitForAccount(1, 1), ProjectionTimeout);
    const waiting = projector.waitForAccount(1, 60_000);
    gate.resolve();
    await waiting;
    await projector.waitForAll(60_000);
    assert.equal(projector.cursor, 12);
  });
});
