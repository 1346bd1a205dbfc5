import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { ContractLogs } from "../../chain/indexer/contract-logs.ts";
import { Indexer } from "../../chain/indexer/indexer.ts";
import { clientOf, wallet } from "../../chain/testing/chains.ts";
import { forkable } from "../../chain/testing/world.ts";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { vaultIdOf } from "../../wallet/withdrawal-id.ts";
import { FundingListener } from "./funding-listener.ts";
import { emptyBooks, lower, openFundingWorld } from "./testing/funding-world.ts";

const USDT = 1_000_000n;
const [rich, anna, bert] = [wallet(1), wallet(2), wallet(3)];
const WITHDRAWAL = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a99";

describe("payments for other wallets by way of the Vault", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  beforeEach(async () => {
    await emptyBooks(database);
    await sql`truncate chain_cursor, chain_block, chain_event, withdrawal`.execute(database.db);
  });
  after(() => database.close());

  async function open(t: TestContext) {
    const world = await openFundingWorld(t, database);
    for (const one of [rich, anna]) await world.rich(one);
    const indexer = new Indexer({
      client: clientOf(world.chain),
      contracts: new ContractLogs(world.contracts),
      database,
      clock: world.clock,
      listeners: [new FundingListener(world.platform)],
    });
    return { ...world, indexer };
  }

  /** Writes a withdrawal of the wallet as the exchange does. */
  async function requested(owner: { address: string }, to: { address: string }, amount: bigint): Promise<void> {
    await sql`
      insert into withdrawal (id, account, address, to_address, amount_micros, status, created_at, updated_at)
      values (${WITHDRAWAL}, 1, ${lower(owner)}, ${lower(to)}, ${amount}::bigint, 'held', now(), now())`.execute(
      database.db,
    );
  }

  it("BON-12: a deposit that another wallet has paid names it; one's own and the platform's name nobody", async (t) => {
    const world = await open(t);
    await world.depositFor(rich, anna.address, 5n * USDT);
    await world.depositFor(anna, anna.address, 6n * USDT);
    await world.deposit(anna.address, 7n * USDT);
    await world.indexer.sync();
    assert.deepEqual(await world.funding(), [`deposit ${lower(rich)} ${lower(anna)} ${5n * USDT}`]);
  });

  it("BON-12: a withdrawal to another wallet names its owner", async (t) => {
    const world = await open(t);
    await world.deposit(anna.address, 50n * USDT);
    await requested(anna, bert, 8n * USDT);
    await world.withdraw(vaultIdOf(WITHDRAWAL), bert.address, 8n * USDT);
    await world.withdraw(`0x${"77".repeat(32)}`, bert.address, USDT);
    await world.indexer.sync();
    assert.deepEqual(await world.funding(), [`withdrawal ${lower(anna)} ${lower(bert)} ${8n * USDT}`]);
  });

  it("BON-12: what is in blocks that are no longer part of the chain is taken back, and only that", async (t) => {
    const world = await open(t);
    await world.depositFor(rich, anna.address, USDT);
    await requested(anna, bert, USDT);
    const fork = await forkable(world.chain);
    await world.depositFor(rich, bert.address, 2n * USDT);
    await world.withdraw(vaultIdOf(WITHDRAWAL), bert.address, USDT);
    await world.indexer.sync();
    const first = `deposit ${lower(rich)} ${lower(anna)} ${USDT}`;
    assert.equal((await world.funding()).length, 3);
    await fork.drop();
    await world.mineEmpty(5);
    await world.indexer.sync();
    assert.deepEqual(await world.funding(), [first]);
    await world.depositFor(rich, bert.address, 3n * USDT);
    await world.indexer.sync();
    assert.deepEqual(await world.funding(), [first, `deposit ${lower(rich)} ${lower(bert)} ${3n * USDT}`].sort());
  });

  it("BON-12: events read again from an earlier block, as an operator may ask for, are there once", async (t) => {
    const world = await open(t);
    await world.depositFor(rich, anna.address, USDT);
    await world.indexer.sync();
    // As before the funding table existed.
    await sql`delete from bonus_funding`.execute(database.db);
    await world.indexer.rewindTo(0);
    await world.indexer.sync();
    assert.equal((await world.funding()).length, 1);
  });
});
