import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { RPC_CODES, RpcError } from "../../chain/rpc-error.ts";
import { clientOf, deployer, wallet } from "../../chain/testing/chains.ts";
import { FaultyNode, forkable } from "../../chain/testing/world.ts";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { bonusDb } from "../tables.ts";
import { sharedSources } from "./funding-store.ts";
import { emptyBooks, lower, newCampaign, openFundingWorld } from "./testing/funding-world.ts";

const USDT = 1_000_000n;
const [rich, anna, bert, carl] = [wallet(1), wallet(2), wallet(3), wallet(4)];
const line = (source: { address: string }, to: { address: string }, amount: bigint) =>
  `transfer ${lower(source)} ${lower(to)} ${amount}`;

describe("transfers to bonus wallets", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  beforeEach(() => emptyBooks(database));
  after(() => database.close());

  it("BON-12: who has sent tokens to a bonus wallet is known, before its grant and after it", async (t) => {
    const world = await openFundingWorld(t, database);
    assert.deepEqual(await world.scan.run(), { block: world.chain.tip.number, isCurrent: true });
    await world.rich(rich);
    await world.send(rich, anna.address, 5n * USDT);
    await world.grant(lower(anna));
    await world.scan.run();
    assert.deepEqual(await world.funding(), [line(rich, anna, 5n * USDT)]);
    await world.send(rich, anna.address, 7n * USDT);
    await world.send(rich, bert.address, 9n * USDT);
    await world.scan.run();
    assert.deepEqual(await world.funding(), [line(rich, anna, 5n * USDT), line(rich, anna, 7n * USDT)]);
    // A wallet that comes later is scanned from a block before its grant.
    await world.grant(lower(bert));
    assert.equal((await world.scan.run()).block, world.chain.tip.number);
    await world.scan.run();
    assert.deepEqual((await world.funding()).at(-1), line(rich, bert, 9n * USDT));
    assert.equal((await world.funding()).length, 3, "nothing twice");
  });

  it("BON-12: money of the platform, of oneself and of nothing is none", async (t) => {
    const world = await openFundingWorld(t, database);
    await world.rich(rich);
    await world.rich(anna);
    for (const one of [anna, bert]) await world.grant(lower(one));
    await world.send(deployer, bert.address, 50n * USDT);
    await world.send(anna, anna.address, USDT);
    await world.send(rich, anna.address, 0n);
    await world.send(rich, deployer.address, USDT);
    await world.scan.run();
    assert.deepEqual(await world.funding(), []);
  });

  it("BON-12: sources are those that have paid several, or are one of them, at least 1 USDT", async (t) => {
    const world = await openFundingWorld(t, database);
    for (const one of [rich, anna]) await world.rich(one);
    for (const one of [anna, bert, carl]) await world.grant(lower(one));
    await world.send(rich, bert.address, USDT - 1n);
    await world.send(rich, carl.address, USDT);
    await world.send(anna, carl.address, USDT);
    await world.scan.run();
    const wallets = [anna, bert, carl].map(lower);
    const shared = () => sharedSources(bonusDb(database), wallets, world.platform);
    assert.deepEqual(await shared(), [{ source: lower(anna), addresses: [lower(carl)] }]);
    await world.send(rich, bert.address, 1n);
    await world.scan.run();
    const both = { source: lower(rich), addresses: [lower(bert), lower(carl)].sort() };
    assert.deepEqual(
      (await shared()).find(({ source }) => source === lower(rich)),
      both,
    );
  });

  it("BON-12: transfers of blocks that are no longer part of the chain go, and come again where they are mined again", async (t) => {
    const world = await openFundingWorld(t, database);
    await world.rich(rich);
    for (const one of [anna, bert]) await world.grant(lower(one));
    await world.send(rich, anna.address, USDT);
    const fork = await forkable(world.chain);
    await world.send(rich, anna.address, 2n * USDT);
    await world.send(rich, bert.address, 3n * USDT);
    await world.scan.run();
    assert.equal((await world.funding()).length, 3);
    await fork.drop();
    const shorter = await forkable(world.chain);
    await world.mineEmpty(1);
    await world.send(rich, bert.address, 4n * USDT);
    await world.mineEmpty(3);
    await world.scan.run();
    assert.deepEqual(await world.funding(), [line(rich, anna, USDT), line(rich, bert, 4n * USDT)].sort());
    // A chain that is shorter than before.
    await shorter.drop();
    await world.scan.run();
    assert.deepEqual(await world.funding(), [line(rich, anna, USDT)]);
  });

  it("BON-12: a node that fails in the midst leaves what was known, and the next look goes on", async (t) => {
    const world = await openFundingWorld(t, database);
    await world.rich(rich);
    await world.grant(lower(anna));
    await world.send(rich, anna.address, USDT);
    await world.scan.run();
    await world.send(rich, anna.address, 2n * USDT);
    const node = new FaultyNode(world.chain);
    const scan = world.scanWith(node.client() as ReturnType<typeof clientOf>);
    node.beforeAnswer = async ({ method }) => {
      if (method === "eth_getLogs") throw new RpcError(RPC_CODES.limitExceeded, "too much");
    };
    await assert.rejects(scan.run(), /too much/);
    assert.deepEqual(await world.funding(), [line(rich, anna, USDT)]);
    node.beforeAnswer = async () => undefined;
    await Promise.all([scan.run(), scan.run(), scan.run()]);
    assert.deepEqual(await world.funding(), [line(rich, anna, USDT), line(rich, anna, 2n * USDT)]);
    assert.ok(
      node.ranges.every((blocks) => blocks <= 2_000),
      "ranges that nodes answer",
    );
  });

  it("BON-12: confirmations are waited for, and blocks long before a grant are not looked at", async (t) => {
    const world = await openFundingWorld(t, database);
    await world.rich(rich);
    await world.send(rich, anna.address, USDT);
    await world.mineEmpty(70);
    world.clock.advance(15 * DAY_ms);
    await world.send(rich, anna.address, 2n * USDT);
    await world.grant(lower(anna));
    const careful = world.scanWith(clientOf(world.chain, 2));
    await careful.run();
    assert.deepEqual(await world.funding(), []);
    await world.mineEmpty(2);
    await careful.run();
    assert.deepEqual(await world.funding(), [line(rich, anna, 2n * USDT)]);
  });

  it("BON-12: wallets of earlier campaigns are looked at while their bonus runs", async (t) => {
    const world = await openFundingWorld(t, database);
    await world.rich(rich);
    for (const one of [anna, bert]) await world.grant(lower(one));
    await newCampaign(database);
    await sql`update bonus_account set status = 'recalled', ended_at = now() where address = ${lower(bert)}`.execute(
      database.db,
    );
    for (const one of [anna, bert]) await world.send(rich, one.address, USDT);
    await world.scan.run();
    assert.deepEqual(await world.funding(), [line(rich, anna, USDT)]);
    await world.grant(lower(bert), 2);
    await world.scan.run();
    assert.deepEqual(await world.funding(), [line(rich, anna, USDT), line(rich, bert, USDT)].sort());
  });
});
