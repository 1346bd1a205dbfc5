import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Engine } from "@bourse/engine";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { kernelMigrations } from "../../kernel/database/kernel-migrations.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import { createOutbox } from "../../kernel/outbox/outbox.ts";
import { beginExchange } from "../genesis.ts";
import { MemoryLog } from "../host/command-log.ts";
import { Exchange } from "../host/exchange.ts";
import { deliverTo } from "../host/outbox-delivery.ts";
import { AccountDirectory } from "./directory.ts";
import { exchangeAccountMigrations } from "./migrations.ts";

const walletOf = (digit: string) => `0x${digit.repeat(40)}`;

describe("accounts of wallets", () => {
  let database: Database;
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  const outbox = createOutbox({ clock });

  before(async () => {
    database = await openTestDatabase({ ...kernelMigrations, ...exchangeAccountMigrations });
  });

  after(() => database.close());

  function newExchange(engine = new Engine()) {
    const exchange = new Exchange({
      engine,
      log: new MemoryLog(),
      clock,
      maxCommandsWaiting: 1_000,
      onFailure: (error) => assert.fail(String(error)),
    });
    const dispatcher = new OutboxDispatcher({
      database,
      clock,
      deliver: deliverTo(exchange),
      onError: (error) => assert.fail(error),
    });
    dispatcher.start();
    return { exchange, dispatcher, directory: new AccountDirectory({ database, clock, outbox, dispatcher, exchange }) };
  }

  it("are opened once, numbered without gaps, and known after a restart", async () => {
    const first = newExchange();
    assert.equal(first.directory.numberOf(walletOf("a")), undefined);
    const numbers = await Promise.all(["a", "b", "a", "c"].map((digit) => first.directory.ensure(walletOf(digit))));
    assert.equal(numbers[0], numbers[2]);
    assert.deepEqual([...new Set(numbers)].sort(), [1, 2, 3]);
    assert.equal(first.exchange.engine.state.accounts.count, 3);
    assert.equal(first.directory.addressOf(numbers[1]!), walletOf("b"));
    await first.dispatcher.stop();

    const second = newExchange(first.exchange.engine);
    await second.directory.load();
    assert.equal(second.directory.numberOf(walletOf("b")), numbers[1]);
    assert.equal(await second.directory.ensure(walletOf("d")), 4);
    await second.dispatcher.stop();
  });

  it("FUT-2, FUT-12: an exchange begins with its markets and the fund's seed, once", async () => {
    const { exchange, dispatcher } = newExchange();
    await beginExchange({ db: database.db, exchange, outbox, dispatcher });
    await beginExchange({ db: database.db, exchange, outbox, dispatcher });
    const { state } = exchange.engine;
    const symbols = state.markets.map(({ terms }) => terms.symbol);
    assert.deepEqual(symbols, ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"]);
    assert.equal(state.accounts.principal(0), 100_000_000_000);
    await dispatcher.stop();
  });
});
