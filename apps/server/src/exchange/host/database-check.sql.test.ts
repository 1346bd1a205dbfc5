import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Engine, NEWEST_RULES, OLDEST_RULES, State } from "@bourse/engine";
import { sql } from "kysely";
import { Prng } from "../../../../../packages/engine/src/book/testing/prng.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { kernelMigrations } from "../../kernel/database/kernel-migrations.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { type OutboxEdge, readEdge, writeEdge } from "../../kernel/outbox/edge.ts";
import { createOutbox } from "../../kernel/outbox/outbox.ts";
import { exchangeAccountMigrations } from "../accounts/migrations.ts";
import { Wallets } from "../journal/wallets.ts";
import { connectOutbox, createMemoryExchange } from "../testing/memory-exchange.ts";
import { checkDatabase, DatabaseMismatch } from "./database-check.ts";

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const USDT = 1_000_000;

/** An exchange and a database that has everything of it. */
async function openBench(rulesVersion = NEWEST_RULES) {
  const database = await openTestDatabase({ ...kernelMigrations, ...exchangeAccountMigrations });
  const engine = new Engine(new State(rulesVersion));
  const exchange = createMemoryExchange({ engine, clock });
  const wallets = new Wallets();
  exchange.listen(({ command }) => wallets.see(command, engine.state));
  const connected = connectOutbox({ database, clock, exchange });
  connected.dispatcher.start();
  const { directory, engineRequests, dispatcher } = connected;
  const tell = async (ref: string, command: Parameters<typeof engineRequests.tell>[2]) => {
    await database.db.transaction().execute((tx) => engineRequests.tell(tx, ref, command));
    await dispatcher.idle();
  };
  return {
    database,
    engine,
    exchange,
    wallets,
    tell,
    ...connected,
    open: (number: number) => directory.ensure(walletOf(number)),
    deposit: (ref: string, account: number, usdt = 5) =>
      tell(`deposit:${ref}`, { kind: "deposit", account, amount_micros: usdt * USDT }),
    check: () => checkDatabase({ database, state: engine.state, wallets }),
  };
}

type Bench = Awaited<ReturnType<typeof openBench>>;

/** A database that lacks what the log has can be rebuilt (LOG-3); one that has more than the log cannot. */
const refused = (bench: Bench, message: RegExp, mending = /npm run rebuild/) =>
  assert.rejects(bench.check(), (error: Error) => {
    assert.ok(error instanceof DatabaseMismatch, String(error));
    assert.match(error.message, message);
    assert.match(error.message, mending);
    return true;
  });

/** Runs against a transaction that is taken back, as if the database were another one. */
async function withChanged(
  bench: Bench,
  change: (db: Database["db"]) => Promise<unknown>,
  look: () => Promise<unknown>,
) {
  const { database, dispatcher } = bench;
  // On a slow machine it would find the changed messages at its next poll.
  await dispatcher.stop();
  const kept = await sql<{ accounts: string; outbox: string }>`
    select coalesce((select json_agg(exchange_account) from exchange_account)::text, '[]') as accounts,
           coalesce((select json_agg(outbox) from outbox)::text, '[]') as outbox`.execute(database.db);
  await change(database.db);
  try {
    await look();
  } finally {
    const { accounts, outbox } = kept.rows[0]!;
    await sql`delete from outbox`.execute(database.db);
    await sql`delete from exchange_account`.execute(database.db);
    await sql`insert into exchange_account select * from json_populate_recordset(null::exchange_account, ${accounts}::json)`.execute(
      database.db,
    );
    await sql`insert into outbox overriding system value
      select * from json_populate_recordset(null::outbox, ${outbox}::json)`.execute(database.db);
    dispatcher.start();
  }
}

describe("the database before it is served", () => {
  let bench: Bench;

  before(async () => {
    bench = await openBench();
    for (const number of [1, 2, 3]) await bench.open(number);
    await bench.deposit("0xaa:0", 1);
    await bench.deposit("0xbb:1", 2);
  });

  after(async () => {
    await bench.dispatcher.stop();
    await bench.database.close();
  });

  it("LOG-2: one that belongs to the log passes, also with messages that are still to be delivered", async () => {
    await bench.check();
    const waiting = (db: Database["db"]) =>
      sql`insert into outbox (topic, ref, payload, created_at) values ('exchange', 'deposit:later', '{}', now())`.execute(
        db,
      );
    await withChanged(bench, waiting, () => bench.check());
    const decided = async (db: Database["db"]) => {
      await sql`insert into exchange_account values (4, ${walletOf(4)}, now())`.execute(db);
      await sql`insert into outbox (topic, ref, payload, created_at)
        values ('exchange', 'open-account:4', '{"kind":"open_account"}', now())`.execute(db);
    };
    await withChanged(bench, decided, () => bench.check());
  });

  it("LOG-2: one that lacks accounts of the log is refused: their numbers would be given to other wallets", async () => {
    const older = (db: Database["db"]) => sql`delete from exchange_account where account = 3`.execute(db);
    await withChanged(bench, older, () =>
      refused(bench, /older than the log: it lacks 1 of the log's 3 accounts, .* account 3/),
    );
  });

  it("LOG-2: one in which an account has another wallet is refused, although all numbers agree", async () => {
    const other = (db: Database["db"]) =>
      sql`update exchange_account set address = ${walletOf(9)} where account = 3`.execute(db);
    await withChanged(bench, other, () =>
      refused(bench, /Account 3 has another wallet in the database than in the log/),
    );
  });

  it("LOG-2: one whose outbox is behind is refused: new messages would get numbers that were used", async () => {
    const older = (db: Database["db"]) => sql`delete from outbox where dispatch_seq > 3`.execute(db);
    await withChanged(bench, older, () =>
      refused(bench, /older than the log by 2 messages: its outbox ends with message 3/),
    );
  });

  it("LOG-2: one with another message under a number that was used is refused", async () => {
    const other = (db: Database["db"]) =>
      sql`update outbox set ref = 'deposit:0xcc:0' where ref = 'deposit:0xbb:1'`.execute(db);
    await withChanged(bench, other, () => refused(bench, /other messages than the log under the numbers 1 to 5/));
    const gap = (db: Database["db"]) => sql`delete from outbox where dispatch_seq = 4`.execute(db);
    await withChanged(bench, gap, () => refused(bench, /other messages than the log/));
  });

  it("LOG-2: one that has seen more than the log is refused: part of the log is lost", async () => {
    const newer = (db: Database["db"]) =>
      sql`insert into outbox (topic, ref, payload, created_at, dispatch_seq, delivered_at)
        values ('exchange', 'deposit:0xdd:0', '{"kind":"deposit"}', now(), 6, now())`.execute(db);
    const restore = /npm run restore/;
    await withChanged(bench, newer, () =>
      refused(bench, /message 6 was delivered, the log ends with message 5/, restore),
    );
    const opened = async (db: Database["db"]) => {
      await sql`insert into exchange_account values (4, ${walletOf(4)}, now())`.execute(db);
    };
    await withChanged(bench, opened, () => refused(bench, /account 4 was opened, and the log has 3 accounts/, restore));
  });
});

describe("a database whose outbox was pruned", () => {
  let bench: Bench;
  const prune = () => createOutbox({ clock }).prune(bench.database.db, new Date(clock.now() + 1), 0);

  before(async () => {
    bench = await openBench();
    for (const number of [1, 2]) await bench.open(number);
    await bench.deposit("0xaa:0", 1);
    assert.equal(await prune(), 3);
  });
  after(async () => {
    await bench.dispatcher.stop();
    await bench.database.close();
  });

  it("LOG-2, LOG-8: leads from its edge to the engine's number and digest, also with no row left", async () => {
    await bench.check();
    await bench.deposit("0xbb:0", 2);
    await bench.check();
    const other = (db: Database["db"]) => sql`update outbox set ref = 'deposit:0xcc:0'`.execute(db);
    await withChanged(bench, other, () => refused(bench, /other messages than the log under the numbers 4 to 4/));
    const older = (db: Database["db"]) => sql`delete from outbox`.execute(db);
    await withChanged(bench, older, () => refused(bench, /its outbox ends with message 3, the log with message 4/));
  });

  it("LOG-2, LOG-8: an edge of another exchange is refused, and one that the log has not come to", async () => {
    const before = await readEdge(bench.database.db);
    const set = (edge: OutboxEdge) =>
      bench.database.db.transaction().execute((tx) => writeEdge(tx, edge, new Date(clock.now())));
    await set({ ...before, digest: "ab".repeat(32) });
    await refused(bench, /other messages than the log/);
    await set({ ...before, number: 9 });
    await refused(bench, /message 9 was delivered, the log ends with message 4/, /npm run restore/);
    await set(before);
    await bench.check();
  });
});

describe("a database of rules version 3", () => {
  it("LOG-2: accounts and numbers can be compared, wallets and references cannot", async () => {
    const bench = await openBench(OLDEST_RULES);
    for (const number of [1, 2]) await bench.open(number);
    await bench.deposit("0xaa:0", 1);
    await bench.check();
    const older = (db: Database["db"]) => sql`delete from exchange_account where account = 2`.execute(db);
    await withChanged(bench, older, () => refused(bench, /lacks 1 of the log's 2 accounts/));
    const behind = (db: Database["db"]) => sql`delete from outbox where ref like 'deposit:%'`.execute(db);
    await withChanged(bench, behind, () => refused(bench, /older than the log by 3 messages/));
    const other = (db: Database["db"]) =>
      sql`update exchange_account set address = ${walletOf(9)} where account = 2`.execute(db);
    await withChanged(bench, other, () => bench.check());
    await bench.dispatcher.stop();
    await bench.database.close();
  });

  it("LOG-2, LOG-5: raised to version 4, what comes behind the change is compared by reference", async () => {
    const bench = await openBench(OLDEST_RULES);
    await bench.open(1);
    await bench.deposit("0xaa:0", 1);
    await bench.tell("rules:4", { kind: "set_rules_version", version: 4 });
    assert.equal(bench.engine.state.rulesVersion, 4);
    await bench.deposit("0xbb:0", 1);
    await bench.open(2);
    await bench.check();
    const other = (db: Database["db"]) =>
      sql`update outbox set ref = 'deposit:0xee:0' where ref = 'deposit:0xbb:0'`.execute(db);
    await withChanged(bench, other, () => refused(bench, /other messages than the log under the numbers 4 to 5/));
    assert.equal(bench.wallets.of(2), walletOf(2));
    assert.equal(bench.wallets.of(1), undefined);
    await bench.dispatcher.stop();
    await bench.database.close();
  });
});

describe("any database that is older than its log", () => {
  const SEEDS = process.env["TEST_DEPTH"] === "long" ? 12 : 3;

  it("LOG-2: is refused wherever it was cut, and the whole one is not", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const prng = new Prng(seed);
      const bench = await openBench();
      let opened = 0;
      for (let step = 0; step < 12; step += 1) {
        if (opened === 0 || prng.isIn(40)) {
          opened += 1;
          await bench.open(opened);
        } else await bench.deposit(`${seed}:${step}`, prng.between(1, opened), prng.between(1, 9));
      }
      await bench.check();
      const last = bench.engine.state.externalNumber;
      // LOG-8: half of them with a part of the outbox pruned.
      const pruned = seed % 2 === 0 ? 0 : prng.between(1, last - 1);
      await sql`update outbox set delivered_at = 'epoch' where dispatch_seq <= ${pruned}`.execute(bench.database.db);
      assert.equal(await createOutbox({ clock }).prune(bench.database.db, new Date(1), 0), pruned);
      await bench.check();
      for (let cut = pruned; cut < last; cut += 1) {
        const older = async (db: Database["db"]) => {
          await sql`delete from exchange_account where 'open-account:' || account in
            (select ref from outbox where dispatch_seq > ${cut})`.execute(db);
          await sql`delete from outbox where dispatch_seq > ${cut}`.execute(db);
        };
        await withChanged(bench, older, () => refused(bench, /The database is older than the log/));
      }
      await bench.check();
      await bench.dispatcher.stop();
      await bench.database.close();
    }
  });
});
