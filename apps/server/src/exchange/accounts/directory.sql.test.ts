import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Engine } from "@bourse/engine";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { kernelMigrations } from "../../kernel/database/kernel-migrations.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { beginExchange } from "../genesis.ts";
import { ExchangeUnavailable } from "../host/exchange.ts";
import { connectOutbox, createMemoryExchange } from "../testing/memory-exchange.ts";
import { AccountDirectory, type OpenedAccount } from "./directory.ts";
import { exchangeAccountMigrations } from "./migrations.ts";

const walletOf = (digit: string) => `0x${digit.repeat(40)}`;

const clock = new ManualClock(Date.UTC(2026, 5, 1));

/** An exchange that opens the accounts of this database. */
function newExchange(database: Database, engine = new Engine()) {
  const exchange = createMemoryExchange({ engine, clock });
  const connected = connectOutbox({ database, clock, exchange });
  connected.dispatcher.start();
  return { exchange, ...connected };
}

describe("accounts of wallets", () => {
  let database: Database;

  before(async () => {
    database = await openTestDatabase({ ...kernelMigrations, ...exchangeAccountMigrations });
  });

  after(() => database.close());

  it("are opened once, numbered without gaps, and known after a restart", async () => {
    const first = newExchange(database);
    assert.equal(first.directory.numberOf(walletOf("a")), undefined);
    const numbers = await Promise.all(["a", "b", "a", "c"].map((digit) => first.directory.ensure(walletOf(digit))));
    assert.equal(numbers[0], numbers[2]);
    assert.deepEqual([...new Set(numbers)].sort(), [1, 2, 3]);
    assert.equal(first.exchange.engine.state.accounts.count, 3);
    assert.equal(first.directory.addressOf(numbers[1]!), walletOf("b"));
    await first.dispatcher.stop();

    const second = newExchange(database, first.exchange.engine);
    await second.directory.load();
    assert.equal(second.directory.numberOf(walletOf("b")), numbers[1]);
    assert.equal(await second.directory.ensure(walletOf("d")), 4);
    await second.dispatcher.stop();
  });

  it("FUT-2, FUT-12: an exchange begins with its markets and the fund's seed, once", async () => {
    const { exchange, dispatcher, engineRequests } = newExchange(database);
    await beginExchange({ db: database.db, exchange, engineRequests, dispatcher });
    await beginExchange({ db: database.db, exchange, engineRequests, dispatcher });
    const { state } = exchange.engine;
    const symbols = state.markets.map(({ definition }) => definition.symbol);
    assert.deepEqual(symbols, ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"]);
    assert.equal(state.accounts.principal(0), 100_000_000_000);
    await dispatcher.stop();
  });
});

describe("accounts of many wallets at once", () => {
  let database: Database;
  let own: ReturnType<typeof newExchange>;

  before(async () => {
    database = await openTestDatabase({ ...kernelMigrations, ...exchangeAccountMigrations });
    own = newExchange(database);
  });
  after(async () => {
    await own.dispatcher.stop();
    await database.close();
  });

  it("are opened in one transaction, and what belongs to opening is done for all of them together", async () => {
    const { directory, dispatcher, exchange } = own;
    const known = await directory.ensure(walletOf("a"));
    const before_ = exchange.engine.state.accounts.count;
    const steps: (readonly OpenedAccount[])[] = [];
    directory.atOpening(async (_tx, opened) => void steps.push(opened));
    const wallets = Array.from({ length: 300 }, (_, at) => `0x${(0xd00d_0000 + at).toString(16).padStart(40, "0")}`);
    const decided = await database.db
      .transaction()
      .execute((tx) => directory.decideAll(tx, [wallets[0]!, walletOf("a"), ...wallets.slice(1)]));
    assert.equal(
      directory.numberOf(wallets[5]!),
      undefined,
      "nothing is known of it before it is committed and loaded",
    );
    await directory.load();
    dispatcher.notify();
    await dispatcher.idle();
    assert.equal(decided.size, 301);
    assert.equal(decided.get(walletOf("a")), known);
    // Numbers have no gaps and follow the order of the list.
    assert.deepEqual(
      wallets.map((wallet) => decided.get(wallet)),
      wallets.map((_, at) => before_ + 1 + at),
    );
    assert.equal(exchange.engine.state.accounts.count, before_ + 300);
    for (const wallet of wallets) assert.equal(directory.numberOf(wallet), decided.get(wallet));
    assert.deepEqual(steps, [wallets.map((address) => ({ account: decided.get(address), address }))]);

    const again = await database.db.transaction().execute((tx) => directory.decideAll(tx, wallets));
    assert.deepEqual(again, new Map(wallets.map((wallet) => [wallet, decided.get(wallet)])));
    assert.equal(steps.length, 1, "nothing was opened");
    assert.deepEqual(await database.db.transaction().execute((tx) => directory.decideAll(tx, [])), new Map());
  });

  it("that two decide at the same moment are given once, and those of a failed transaction not at all", async () => {
    const { directory, dispatcher, exchange } = own;
    const before_ = exchange.engine.state.accounts.count;
    const failed = database.db.transaction().execute(async (tx) => {
      await directory.decideAll(tx, [walletOf("9")]);
      throw new Error("no");
    });
    await assert.rejects(failed, /no/);
    const lists = [
      [walletOf("1"), walletOf("2")],
      [walletOf("2"), walletOf("3"), walletOf("1")],
      [walletOf("3"), walletOf("4")],
    ];
    const [single, ...many] = await Promise.all([
      directory.ensure(walletOf("2")),
      ...lists.map((list) => database.db.transaction().execute((tx) => directory.decideAll(tx, list))),
    ]);
    await directory.load();
    await dispatcher.idle();
    const numbers = ["1", "2", "3", "4"].map((digit) => directory.numberOf(walletOf(digit)));
    assert.deepEqual(
      numbers.toSorted(),
      [1, 2, 3, 4].map((at) => before_ + at),
    );
    assert.equal(single, numbers[1]);
    for (const [at, list] of lists.entries()) {
      for (const wallet of list) assert.equal(many[at]?.get(wallet), directory.numberOf(wallet));
    }
    assert.equal(exchange.engine.state.accounts.count, before_ + 4);
    assert.equal(directory.numberOf(walletOf("9")), undefined);
  });
});

describe("an account that nobody opens", () => {
  it("FUT-17: whoever asks an exchange that has stopped is told so; once it is back the account is there", async (t) => {
    const database = await openTestDatabase({ ...kernelMigrations, ...exchangeAccountMigrations });
    t.after(() => database.close());
    const { exchange, dispatcher, engineRequests } = newExchange(database);
    await dispatcher.stop();
    const options = { database, clock, engineRequests, exchange, maxOpening_ms: 20 };
    await assert.rejects(new AccountDirectory(options).ensure(walletOf("e")), ExchangeUnavailable);
    const again = newExchange(database, exchange.engine);
    await again.directory.load();
    const account = await again.directory.ensure(walletOf("e"));
    assert.equal(again.directory.numberOf(walletOf("e")), account);
    await again.dispatcher.stop();
  });
});
