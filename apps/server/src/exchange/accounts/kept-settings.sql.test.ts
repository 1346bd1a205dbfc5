import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { CROSS, Engine, ISOLATED, NO_POSITION, RULES_WITH_REFERENCES } from "@bourse/engine";
import { sql } from "kysely";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { kernelMigrations } from "../../kernel/database/kernel-migrations.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { beginExchange } from "../genesis.ts";
import { deliverTo } from "../host/outbox-delivery.ts";
import { connectOutbox, createMemoryExchange, recordApplied } from "../testing/memory-exchange.ts";
import { AccountSettings } from "./account-settings.ts";
import { KeptSettings } from "./kept-settings.ts";
import { exchangeAccountMigrations } from "./migrations.ts";

const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const clock = new ManualClock(Date.UTC(2026, 5, 1));
const [BTC, ETH, SOL] = [0, 1, 2] as const;

async function openBench(database: Database) {
  const exchange = createMemoryExchange({ engine: new Engine(), clock });
  const { applied } = recordApplied(exchange);
  const connected = connectOutbox({ database, clock, exchange });
  connected.dispatcher.start();
  await beginExchange({ db: database.db, exchange, ...connected });
  const kept = new KeptSettings({ database, clock });
  const settings = new AccountSettings({ exchange, directory: connected.directory, kept });
  return { exchange, applied, kept, settings, ...connected };
}

describe("settings of wallets without an account", () => {
  let database: Database;
  let bench: Awaited<ReturnType<typeof openBench>>;

  before(async () => {
    database = await openTestDatabase({ ...kernelMigrations, ...exchangeAccountMigrations });
    bench = await openBench(database);
  });
  after(async () => {
    await bench.dispatcher.stop();
    await database.close();
  });

  const marketOf = (number: number) => bench.exchange.engine.state.markets[number]!;
  const chosenOf = (account: number, market: number) => {
    const { positions } = bench.exchange.engine.state;
    const position = positions.find(account, market);
    if (position === NO_POSITION) return undefined;
    return { leverage: positions.leverage(position), mode: positions.mode(position) };
  };

  it("SEC-11: are kept without opening an account, the last choice of each counts", async () => {
    const wallet = walletOf(1);
    const { settings, exchange, directory } = bench;
    const before_ = exchange.engine.state.commandNumber;
    assert.equal(await settings.set(wallet, marketOf(BTC), { leverage: 7 }), undefined);
    assert.equal(await settings.set(wallet, marketOf(BTC), { mode: ISOLATED }), undefined);
    assert.equal(await settings.set(wallet, marketOf(BTC), { leverage: 9 }), undefined);
    assert.equal(await settings.set(wallet, marketOf(ETH), { mode: CROSS }), undefined);
    assert.deepEqual(
      [...(await settings.keptOf(wallet)).values()].toSorted((a, b) => a.market - b.market),
      [
        { market: BTC, leverage: 9, mode: ISOLATED },
        { market: ETH, leverage: null, mode: CROSS },
      ],
    );
    assert.equal(directory.numberOf(wallet), undefined);
    assert.equal(exchange.engine.state.commandNumber, before_, "the engine hears nothing of it");
  });

  it("SEC-11: a leverage that the engine would refuse is refused in the same words, and not kept", async () => {
    const wallet = walletOf(2);
    const limit = marketOf(SOL).definition.brackets[0]!.maxLeverage;
    for (const actual of [0, -1, limit + 1]) {
      const refusal = await bench.settings.set(wallet, marketOf(SOL), { leverage: actual });
      assert.deepEqual(refusal, { reason: "leverage_invalid", limit, actual });
    }
    assert.equal((await bench.settings.keptOf(wallet)).size, 0);
  });

  it("SEC-11: are applied right behind the opening, before the money, once; rows go", async () => {
    const { applied, directory, engineRequests, dispatcher, exchange, settings } = bench;
    const wallet = walletOf(1);
    const from = applied.length;
    const account = await database.db.transaction().execute(async (tx) => {
      const decided = await directory.decide(tx, wallet);
      await engineRequests.tell(tx, "deposit:first", { kind: "deposit", account: decided, amount_micros: 5_000_000 });
      return decided;
    });
    await directory.load();
    await dispatcher.idle();
    assert.deepEqual(
      applied.slice(from).map(({ command }) => command.kind),
      ["open_account", "set_margin_mode", "set_leverage", "set_margin_mode", "deposit"],
    );
    assert.ok(applied.slice(from).every(({ events }) => events[0]?.kind !== "refused"));
    assert.deepEqual(chosenOf(account, BTC), { leverage: 9, mode: ISOLATED });
    assert.equal(exchange.engine.state.accounts.principal(account), 5_000_000);
    assert.equal((await bench.kept.of(wallet)).size, 0);
    // From now on the engine has them.
    assert.equal(await settings.set(wallet, marketOf(BTC), { leverage: 3 }), undefined);
    assert.equal(chosenOf(account, BTC)?.leverage, 3);
    assert.equal((await bench.kept.of(wallet)).size, 0);
  });

  it("SEC-11: of many wallets whose accounts are opened together each gets its own", async () => {
    const { directory, dispatcher, settings } = bench;
    const wallets = [11, 12, 13].map(walletOf);
    await settings.set(wallets[0]!, marketOf(ETH), { leverage: 2 });
    await settings.set(wallets[2]!, marketOf(ETH), { leverage: 4 });
    const decided = await database.db.transaction().execute((tx) => directory.decideAll(tx, wallets));
    await directory.load();
    await dispatcher.idle();
    const leverages = wallets.map((wallet) => chosenOf(decided.get(wallet)!, ETH)?.leverage);
    assert.deepEqual(leverages, [2, undefined, 4]);
  });

  it("SEC-11: a choice made while the account is being opened is not lost", async () => {
    const { directory, dispatcher, settings } = bench;
    for (const number of [21, 22, 23, 24]) {
      const wallet = walletOf(number);
      const [account] = await Promise.all([
        directory.ensure(wallet),
        settings.set(wallet, marketOf(BTC), { leverage: 13 }),
      ]);
      await dispatcher.idle();
      assert.equal(chosenOf(account, BTC)?.leverage, 13);
      assert.equal((await bench.kept.of(wallet)).size, 0);
    }
  });

  it("SEC-11: a failed opening keeps them", async () => {
    const wallet = walletOf(31);
    await bench.settings.set(wallet, marketOf(BTC), { leverage: 6 });
    const failed = database.db.transaction().execute(async (tx) => {
      await bench.directory.decide(tx, wallet);
      throw new Error("no");
    });
    await assert.rejects(failed, /no/);
    assert.equal((await bench.kept.of(wallet)).get(BTC)?.leverage, 6);
  });

  it("SEC-11: a message that is delivered again after a crash overrides nothing that its owner has chosen since", async () => {
    const { directory, dispatcher, exchange, settings } = bench;
    const wallet = walletOf(41);
    await settings.set(wallet, marketOf(BTC), { leverage: 6 });
    const account = await directory.ensure(wallet);
    await dispatcher.idle();
    await settings.set(wallet, marketOf(BTC), { leverage: 17 });
    const { rows } = await sql<{ dispatch_seq: bigint; topic: string; ref: string; payload: object }>`
      select dispatch_seq, topic, ref, payload from outbox where ref = ${`open-account:${account}`}`.execute(
      database.db,
    );
    const { dispatch_seq: seq, ...message } = rows[0]!;
    assert.ok(exchange.engine.state.rulesVersion >= RULES_WITH_REFERENCES);
    await deliverTo(exchange)({ ...message, seq } as Parameters<ReturnType<typeof deliverTo>>[0]);
    assert.equal(chosenOf(account, BTC)?.leverage, 17);
  });

  it("SEC-11: a crash between opening and settings: the second delivery applies them", async () => {
    const { directory, dispatcher, exchange } = bench;
    const wallet = walletOf(51);
    const account = await directory.ensure(wallet);
    await dispatcher.idle();
    const settings = [{ market: SOL, leverage: 5, mode: ISOLATED }];
    const payload = { kind: "open_account", account, settings };
    const message = { seq: 1n, topic: "exchange", ref: `open-account:${account}`, payload };
    await deliverTo(exchange)(message as unknown as Parameters<ReturnType<typeof deliverTo>>[0]);
    assert.deepEqual(chosenOf(account, SOL), { leverage: 5, mode: ISOLATED });
  });
});
