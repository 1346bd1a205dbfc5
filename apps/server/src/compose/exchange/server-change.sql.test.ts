import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { sql } from "kysely";
import { exchangeAccountMigrations } from "../../exchange/accounts/migrations.ts";
import { projectorMigrations } from "../../exchange/index.ts";
import { connectOutbox, createMemoryExchange } from "../../exchange/testing/memory-exchange.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database, ServerCheck } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { StartRefusal } from "../../kernel/start-refusal.ts";
import { checkServerChanges } from "./server-change.ts";

const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

/** A process with two accounts whose tables have reached command 5, and the check that another server has to pass. */
async function openBench(t: TestContext) {
  const database = await openTestDatabase({ ...exchangeAccountMigrations, ...projectorMigrations });
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  const exchange = createMemoryExchange({ clock });
  const { dispatcher, directory, engineRequests } = connectOutbox({ database, clock, exchange });
  dispatcher.start();
  t.after(async () => {
    await dispatcher.stop();
    await database.close();
  });
  for (const number of [1, 2]) await directory.ensure(walletOf(number));
  const projection = { cursor: 5 };
  await sql`update exchange_cursor set command_number = 5 where name = 'projector'`.execute(database.db);
  let check: ServerCheck | undefined;
  const watched: Database = { ...database, onServerChange: (one) => (check = one) };
  checkServerChanges({ database: watched, exchange, directory, projection, dispatcher });
  return { database, exchange, directory, dispatcher, engineRequests, projection, check: () => check!(database.db) };
}

it("LOG-2: a server that has everything is used; one whose tables are behind needs another start", async (t) => {
  const bench = await openBench(t);
  await bench.check();
  // The answer to the last write was lost: the tables are further than this process knows.
  bench.projection.cursor = 4;
  await bench.check();
  bench.projection.cursor = 6;
  await assert.rejects(bench.check(), (error: Error) => {
    assert.ok(error instanceof StartRefusal);
    assert.match(error.message, /tables end with command 5, and had reached command 6\. Start this process again/);
    return true;
  });
});

it("LOG-2: a server that lacks an account which only memory knows is refused: another wallet would get its number", async (t) => {
  const { database, directory, dispatcher, check } = await openBench(t);
  await dispatcher.stop();
  await database.db.transaction().execute((tx) => directory.decide(tx, walletOf(3)));
  await directory.load();
  await check();
  await sql`delete from outbox where ref = 'open-account:3'`.execute(database.db);
  await sql`delete from exchange_account where account = 3`.execute(database.db);
  await assert.rejects(check(), /it lacks 1 of the log's 3 accounts, the first of them account 3/);
  dispatcher.start();
});

it("LOG-2: a delivery that is under way ends first, and what it delivered must be there", async (t) => {
  const { database, exchange, engineRequests, check } = await openBench(t);
  const held = Promise.withResolvers<void>();
  const submitted = Promise.withResolvers<void>();
  const submit = exchange.submit.bind(exchange);
  exchange.submit = async (...command) => {
    submitted.resolve();
    await held.promise;
    return await submit(...command);
  };
  const deposit = { kind: "deposit", account: 1, amount_micros: 5 } as const;
  await database.db.transaction().execute((tx) => engineRequests.tell(tx, "deposit:0xaa:0", deposit));
  engineRequests.notify();
  await submitted.promise;
  await sql`delete from outbox where ref = 'deposit:0xaa:0'`.execute(database.db);
  const checked = assert.rejects(check(), /older than the log by 1 messages/);
  held.resolve();
  await checked;
});
