import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { zeroAddress } from "viem";
import { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { RPC_CODES, RpcError } from "../rpc-error.ts";
import { clientOf, START_ms, wallet } from "../testing/chains.ts";
import { type ChainWorld, FaultyNode, forkable, openChainWorld } from "../testing/world.ts";
import { ContractLogs } from "./contract-logs.ts";
import { ChainFault, Indexer, type IndexerOptions } from "./indexer.ts";
import { indexerMigrations } from "./migrations.ts";
import { KEPT_BLOCKS } from "./store.ts";
import { indexerDb } from "./tables.ts";
import { NotingListener, notedEvents, notedMigrations } from "./testing.ts";

describe("ERN-9: the indexer", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase({ ...indexerMigrations, ...notedMigrations });
  });
  beforeEach(async () => {
    await sql`truncate chain_cursor, chain_block, chain_event, noted`.execute(database.db);
  });
  after(() => database.close());

  const noted = () => notedEvents(database.db as never);
  const depositsNoted = async () => (await noted()).filter(({ name }) => name === "Deposited").map((row) => row.amount);

  function index({ chain, contracts }: ChainWorld, options: Partial<IndexerOptions> = {}) {
    const listener = new NotingListener();
    const indexer = new Indexer({
      client: clientOf(chain),
      contracts: new ContractLogs(contracts),
      database,
      clock: new ManualClock(START_ms),
      listeners: [listener],
      ...options,
    });
    return { indexer, listener };
  }
  const trader = wallet(1).address;

  /** A world whose set-up is already indexed, so that only the test's events are seen. */
  async function freshWorld(t: TestContext) {
    const world = await openChainWorld(t);
    return { ...world, startBlock: world.chain.tip.number + 1 };
  }

  it("events are applied once, in order, with their keys, and again nothing is", async (t) => {
    const world = await freshWorld(t);
    const first = await world.deposit(trader, 5n);
    await world.deposit(trader, 7n);
    const { indexer } = index(world, { startBlock: world.startBlock });
    const report = await indexer.sync();
    // Each deposit is an event of the Vault and a transfer of the token into it.
    const { number } = world.chain.tip;
    assert.deepEqual(report, {
      head_block: number,
      indexed_block: number,
      events: 4,
      undone_events: 0,
      rewinds: 0,
    });
    assert.deepEqual(await depositsNoted(), ["5", "7"]);
    assert.deepEqual(await indexer.sync(), { ...report, events: 0 });
    const rows = await indexerDb(database).selectFrom("chain_event").selectAll().where("tx_hash", "=", first).execute();
    assert.deepEqual(rows.map((row) => `${row.contract} ${row.name} ${row.ordinal}`).sort(), [
      "usdt Transfer 0",
      "vault Deposited 0",
    ]);
    assert.equal(rows[0]!.block_time.getTime(), START_ms);
  });

  it("RUN-3: a block counts after its confirmations", async (t) => {
    const world = await freshWorld(t);
    const { indexer } = index(world, { client: clientOf(world.chain, 2), startBlock: world.startBlock - 10 });
    await world.deposit(trader, 5n);
    await world.mineEmpty(1);
    await indexer.sync();
    assert.deepEqual(await depositsNoted(), []);
    await world.mineEmpty(1);
    const { head_block, indexed_block } = await indexer.sync();
    assert.deepEqual(await depositsNoted(), ["5"]);
    assert.equal(indexed_block, head_block - 2);
  });

  it("ranges hold at most 2000 blocks, halve after an error of the node and grow back", async (t) => {
    const world = await freshWorld(t);
    await world.mineEmpty(30);
    await world.deposit(trader, 5n);
    const node = new FaultyNode(world.chain);
    const limit = 8;
    node.beforeAnswer = async ({ method }) => {
      if (method === "eth_getLogs" && node.ranges.at(-1)! > limit) {
        throw new RpcError(RPC_CODES.limitExceeded, "too many blocks");
      }
    };
    const { indexer } = index(world, { client: node.client(), startBlock: 1 });
    let failures = 0;
    for (let round = 0; round < 40; round += 1) {
      const isDone = await indexer.sync().then(
        () => true,
        () => false,
      );
      if (isDone) break;
      failures += 1;
    }
    assert.ok(failures > 5, `${failures} failures until the ranges fitted`);
    assert.deepEqual(await depositsNoted(), ["5"]);
    assert.ok(Math.max(...node.ranges) <= 2_000);
    assert.ok(node.ranges.slice(-3).every((size) => size <= limit));
    const fitted = node.ranges.findIndex((size) => size <= limit);
    assert.ok(
      node.ranges.slice(fitted).some((size) => size > limit),
      "a larger range was tried after one that fitted",
    );
  });

  it("a crash in the midst of a range leaves nothing of it, and the next one reads it again", async (t) => {
    const world = await freshWorld(t);
    await world.deposit(trader, 5n);
    await world.deposit(trader, 7n);
    const crashed = index(world, { startBlock: world.startBlock });
    let writes = 0;
    crashed.listener.onWrite = () => {
      writes += 1;
      if (writes === 2) throw new Error("the process dies here");
    };
    await assert.rejects(crashed.indexer.sync(), /dies here/);
    assert.deepEqual(await noted(), []);
    assert.deepEqual(await indexerDb(database).selectFrom("chain_event").selectAll().execute(), []);
    await index(world).indexer.sync();
    assert.deepEqual(await depositsNoted(), ["5", "7"]);
  });

  it("records of orphaned blocks are undone, and those of the new branch applied", async (t) => {
    const world = await freshWorld(t);
    const { indexer } = index(world, { startBlock: world.startBlock });
    await world.deposit(trader, 1n);
    const fork = await forkable(world.chain);
    await world.deposit(trader, 2n);
    await world.deposit(trader, 3n);
    await indexer.sync();
    assert.deepEqual(await depositsNoted(), ["1", "2", "3"]);
    await fork.drop();
    await world.deposit(trader, 4n);
    await world.mineEmpty(3);
    const report = await indexer.sync();
    assert.deepEqual([report.rewinds, report.undone_events], [1, 4]);
    assert.deepEqual(await depositsNoted(), ["1", "4"]);
  });

  it("a transaction that is mined again in the new branch is undone and applied again under the same name", async (t) => {
    const world = await freshWorld(t);
    const { indexer } = index(world, { startBlock: world.startBlock });
    await world.mineEmpty(1);
    const fork = await forkable(world.chain);
    const hash = await world.deposit(trader, 2n);
    const block = await clientOf(world.chain).public.getTransaction({ hash });
    await indexer.sync();
    const [before] = await noted();
    await fork.drop();
    await world.mineEmpty(2);
    // The same call with the same nonce and fees is the same transaction.
    const { serializeTransaction } = await import("viem");
    const raw = serializeTransaction(
      {
        type: "eip1559",
        chainId: block.chainId!,
        nonce: block.nonce,
        to: block.to!,
        data: block.input,
        gas: block.gas,
        maxFeePerGas: block.maxFeePerGas!,
        maxPriorityFeePerGas: block.maxPriorityFeePerGas!,
      },
      { r: block.r, s: block.s, yParity: block.yParity! },
    );
    await world.chain.sendRawTransaction(raw);
    await indexer.sync();
    const [after] = await noted();
    assert.deepEqual([after!.tx_hash, after!.ordinal], [before!.tx_hash, before!.ordinal]);
    assert.ok(after!.block_number > before!.block_number);
  });

  it("a chain that ends below what was read is waited for; nothing is taken back", async (t) => {
    const world = await freshWorld(t);
    const { indexer } = index(world, { startBlock: world.startBlock });
    await world.mineEmpty(1);
    await indexer.sync();
    const fork = await forkable(world.chain);
    await world.deposit(trader, 2n);
    await indexer.sync();
    await fork.drop();
    await assert.rejects(indexer.sync(), /the chain ends at block \d+, but block \d+ was read already/);
    assert.deepEqual(await depositsNoted(), ["2"]);
    await world.deposit(trader, 6n);
    await indexer.sync();
    assert.deepEqual(await depositsNoted(), ["6"]);
  });

  it("a reorganisation deeper than what is kept is said, and nothing is guessed", async (t) => {
    const world = await freshWorld(t);
    const { indexer } = index(world, { startBlock: world.startBlock });
    const deep = await forkable(world.chain);
    await world.mineEmpty(1);
    await indexer.sync();
    await world.deposit(trader, 9n);
    await world.mineEmpty(KEPT_BLOCKS + 5);
    await indexer.sync();
    const kept = await indexerDb(database).selectFrom("chain_block").select("number").execute();
    assert.equal(kept.length, KEPT_BLOCKS);
    await deep.drop();
    await world.mineEmpty(KEPT_BLOCKS + 20);
    await assert.rejects(indexer.sync(), (error) => {
      assert.ok(error instanceof ChainFault);
      assert.match(error.message, /reorganised below block \d+, deeper than the 64 blocks that are kept/);
      return true;
    });
    assert.deepEqual(await depositsNoted(), ["9"]);
    // An operator's remedy: everything from a block on is reverted and read again.
    assert.equal(await indexer.rewindTo(world.startBlock - 1), 2);
    assert.deepEqual(await depositsNoted(), []);
    await world.deposit(trader, 10n);
    await indexer.sync();
    assert.deepEqual(await depositsNoted(), ["10"]);
  });

  it("a chain that was reset is noticed, and other contracts are", async (t) => {
    const world = await freshWorld(t);
    await world.deposit(trader, 9n);
    await index(world, { startBlock: world.startBlock }).indexer.sync();
    const other = await openChainWorld(t, { now_ms: START_ms + 5_000 });
    await other.mineEmpty(200);
    await assert.rejects(index(other).indexer.sync(), /the chain was reset: its first block is 0x[0-9a-f]{64}/);
    const moved = { ...world, contracts: { ...world.contracts, vault: zeroAddress } };
    await assert.rejects(index(moved).indexer.sync(), /events of other contracts/);
    assert.deepEqual(await depositsNoted(), ["9"]);
  });

  it("a reorganisation between two questions is noticed", async (t) => {
    const world = await freshWorld(t);
    await world.mineEmpty(1);
    const fork = await forkable(world.chain);
    await world.deposit(trader, 2n);
    await world.mineEmpty(1);
    const node = new FaultyNode(world.chain);
    let isForked = false;
    node.beforeAnswer = async ({ method }) => {
      // The end of the range was read; the logs come from another branch.
      if (method !== "eth_getLogs" || isForked) return;
      isForked = true;
      await fork.drop();
      await world.deposit(trader, 3n);
      await world.mineEmpty(2);
    };
    const { indexer } = index(world, { client: node.client(), startBlock: world.startBlock });
    await indexer.sync();
    assert.ok(isForked);
    assert.deepEqual(await depositsNoted(), ["3"]);
  });

  it("logs that come twice count once; logs that are no events of the contracts are passed over", async (t) => {
    const world = await freshWorld(t);
    await world.deposit(trader, 2n);
    const node = new FaultyNode(world.chain);
    node.changed = (method, answer) => {
      if (method !== "eth_getLogs") return answer;
      const logs = answer as { address: string; logIndex: string; topics: string[] }[];
      const strange = logs.slice(0, 1).map((log) => ({ ...log, logIndex: "0x63", topics: [`0x${"ab".repeat(32)}`] }));
      const foreign = logs.slice(0, 1).map((log) => ({ ...log, logIndex: "0x64", address: wallet(9).address }));
      return [...logs, ...logs, ...strange, ...foreign];
    };
    const { indexer } = index(world, { client: node.client(), startBlock: world.startBlock });
    await indexer.sync();
    assert.deepEqual(await depositsNoted(), ["2"]);
    assert.equal(indexer.ignoredLogs, 2);
  });

  it("two who read at once apply everything once", async (t) => {
    const world = await freshWorld(t);
    const amounts = [1n, 2n, 3n, 4n, 5n];
    for (const amount of amounts) await world.deposit(trader, amount);
    const [one, two] = [index(world, { startBlock: world.startBlock }), index(world, { startBlock: world.startBlock })];
    const reports = await Promise.all([one.indexer.sync(), two.indexer.sync()]);
    assert.equal(reports[0].events + reports[1].events, 10);
    assert.deepEqual(await depositsNoted(), amounts.map(String));
  });
});
