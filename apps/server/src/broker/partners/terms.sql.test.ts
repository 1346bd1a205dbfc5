import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { pino } from "pino";
import { migrations } from "../../compose/migrations.ts";
import type { AccountDirectory } from "../../exchange/accounts/directory.ts";
import type { LoggedExchange } from "../../exchange/host/logged-exchange.ts";
import { connectOutbox, createMemoryExchange } from "../../exchange/testing/memory-exchange.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import type { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import { randomUuid, systemRandom } from "../../kernel/random.ts";
import { type BrokerDb, brokerDb } from "../tables.ts";
import { walletOfAccount } from "../testing/books.ts";
import { Terms } from "./terms.ts";

describe("terms", () => {
  let database: Database;
  let db: BrokerDb;
  let exchange: LoggedExchange;
  let dispatcher: OutboxDispatcher;
  let directory: AccountDirectory;
  let terms: Terms;
  const logged: string[] = [];
  const clock = new ManualClock(Date.UTC(2026, 5, 1));
  let wallets = 0;

  before(async () => {
    database = await openTestDatabase(migrations);
    db = brokerDb(database);
    exchange = createMemoryExchange({ clock });
    const connected = connectOutbox({ database, clock, exchange });
    ({ dispatcher, directory } = connected);
    const log = pino({ level: "error" }, { write: (line) => void logged.push(line) });
    terms = new Terms({ clock, log, engineRequests: connected.engineRequests });
    dispatcher.start();
  });
  after(async () => {
    await dispatcher.stop();
    await exchange.close();
    await database.close();
  });

  async function newAccount(): Promise<{ account: number; wallet_address: string }> {
    wallets += 1;
    const wallet_address = walletOfAccount(wallets + 5_000);
    return { account: await directory.ensure(wallet_address), wallet_address };
  }
  async function newBroker(parent_broker_id: string | null = null): Promise<{ id: string; account: number }> {
    const { account, wallet_address } = await newAccount();
    const id = randomUuid(systemRandom);
    const level = parent_broker_id === null ? 1 : null;
    const row = { id, account, wallet_address, parent_broker_id, level, nickname: null, bd_owner_id: null };
    await db
      .insertInto("broker")
      .values({ ...row, rate_e6: 200_000, status: "active", created_at: new Date(clock.now()) })
      .execute();
    return { id, account };
  }
  const raise = (id: string) => db.transaction().execute((tx) => terms.raise(tx, id, "test"));
  const versionOf = (account: number) => exchange.engine.state.accounts.termsVersion(account);

  it("BRK-8: once a change is told the engine has it, that of every sub-KOL included", async () => {
    const kol = await newBroker();
    const subKols = [await newBroker(kol.id), await newBroker(kol.id), await newBroker(kol.id)];
    for (let round = 0; round < 3; round += 1) {
      const { versions, ref } = await raise(kol.id);
      assert.deepEqual(
        versions.map(({ account }) => account),
        [kol, ...subKols].map(({ account }) => account),
      );
      await terms.told(ref);
      for (const { account, terms_version } of versions) assert.equal(versionOf(account), Number(terms_version));
    }
  });

  it("BRK-8: a sub-KOL's change is its own", async () => {
    const kol = await newBroker();
    const subKol = await newBroker(kol.id);
    const { versions } = await raise(subKol.id);
    assert.deepEqual(
      versions.map(({ account }) => account),
      [subKol.account],
    );
  });

  it("BRK-8: a customer follows its broker from the told moment on", async () => {
    const kol = await newBroker();
    const { account } = await newAccount();
    const ref = await db.transaction().execute((tx) => terms.follow(tx, account, kol.account));
    await terms.told(ref);
    assert.equal(exchange.engine.state.accounts.termsLeader(account), kol.account);
    const { versions, ref: next } = await raise(kol.id);
    await terms.told(next);
    assert.equal(exchange.engine.state.accounts.termsVersionOfFills(account), Number(versions[0]!.terms_version));
    assert.equal(versionOf(account), 0);
  });

  it("BRK-8: changes at once are told one after another, and the last one holds", async () => {
    const kol = await newBroker();
    const changes = await Promise.all(Array.from({ length: 6 }, () => raise(kol.id)));
    for (const { ref } of changes) await terms.told(ref);
    const last = changes
      .map(({ versions }) => versions[0]!.terms_version)
      .sort((a, b) => Number(a - b))
      .at(-1);
    assert.equal(versionOf(kol.account), Number(last));
  });

  it("BRK-8: what the engine refuses is logged; SEC-11: a broker without an account has no terms yet", async () => {
    const { account } = await newAccount();
    const ref = await db.transaction().execute((tx) => terms.follow(tx, account, 999_999));
    await terms.told(ref);
    assert.match(logged.join(""), /unknown_account/);
    const kol = await newBroker();
    await db.updateTable("broker").set({ account: null }).where("id", "=", kol.id).execute();
    assert.deepEqual(await raise(kol.id), { versions: [], ref: undefined });
    const subKol = await newBroker(kol.id);
    const { versions } = await raise(kol.id);
    assert.deepEqual(
      versions.map(({ account }) => account),
      [subKol.account],
    );
  });
});
