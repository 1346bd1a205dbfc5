import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { referralRebateAbi } from "@bourse/contracts";
import { type Address, parseEventLogs } from "viem";
import { Operator } from "../chain/operator/operator.ts";
import { operatorDb } from "../chain/operator/tables.ts";
import { wallet } from "../chain/testing/chains.ts";
import { ExternalNode } from "../chain/testing/external-node.ts";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { referralContractOn } from "./contract.ts";
import { createReferralListener } from "./listener.ts";
import { ReferralReads } from "./reads.ts";
import { NotOperator, RebateConflict, type RebateLine, RebateSync } from "./rebate-sync.ts";
import { referralDb } from "./tables.ts";
import {
  bytes32,
  lower,
  OPERATOR_KEY,
  openReferralScene,
  type ReferralScene,
  sceneMigrations,
} from "./testing/referral-scene.ts";

const payee = (number: number): Address => `0x${(0xfee0_0000 + number).toString(16).padStart(40, "0")}`;
const NEVER_ms = 0;

describe("syncing rebates", () => {
  let scene: ReferralScene;
  let database: TestDatabase;
  let payees = 0;

  before(async () => {
    scene = await openReferralScene();
    database = await openTestDatabase(sceneMigrations);
    await scene.mint(scene.operatorAccount.address, 1_000_000_000n);
  });
  after(async () => {
    await database.close();
    await scene.close();
  });

  const linesOf = (count: number, amount_micros = 10n): RebateLine[] =>
    Array.from({ length: count }, () => ({ address: payee(++payees), amount_micros }));

  /** As in a process that has just started. */
  function create({ node, wait_ms }: { node?: ExternalNode; wait_ms?: number } = {}) {
    const client = node?.client() ?? scene.client;
    const operator = new Operator({ client, database, clock: scene.clock, key: OPERATOR_KEY });
    const sync = new RebateSync({
      database,
      clock: scene.clock,
      client,
      operator,
      contract: referralContractOn(client, scene.contracts.referral),
      addresses: scene.contracts,
      ...(wait_ms === undefined ? {} : { wait_ms }),
    });
    return { operator, sync };
  }
  const credited = async ({ address }: Pick<RebateLine, "address">) =>
    (await scene.contract.userRebate(address as Address)).credited;
  const outcomes = ({ parts }: Awaited<ReturnType<RebateSync["send"]>>) => parts.map(({ outcome }) => outcome.state);

  /** Counts every credit of these lines on chain, so that a duplicate would fail. */
  async function assertCreditedOnce(lines: readonly RebateLine[]): Promise<void> {
    for (const line of lines) assert.equal(await credited(line), line.amount_micros, line.address);
  }

  it("REF-3: lines are credited, tokens move in, and a second sending credits nothing", async () => {
    const { sync } = create();
    const lines = linesOf(3, 1_500_000n);
    const before = await scene.tokensOf(scene.operatorAccount.address);
    const report = await sync.send("first", lines);
    assert.equal(report.isComplete, true);
    assert.deepEqual(outcomes(report), ["synced"]);
    await assertCreditedOnce(lines);
    assert.equal(before - (await scene.tokensOf(scene.operatorAccount.address)), 4_500_000n);
    const blocks = scene.chain.tip.number;
    assert.deepEqual(await sync.send("first", lines.toReversed()), report);
    assert.equal(scene.chain.tip.number, blocks, "nothing was sent");
  });

  it("REF-3: more than 200 lines go out in parts, whose logs cover every payee", async () => {
    const lines = linesOf(401);
    const report = await create().sync.send("large", lines);
    assert.deepEqual(outcomes(report), ["synced", "synced", "synced"]);
    const paid = new Map<string, bigint>();
    for (const { outcome, batchId } of report.parts) {
      if (outcome.state !== "synced") throw new Error("not synced");
      const { logs, status } = await scene.client.public.getTransactionReceipt({ hash: outcome.tx_hash });
      assert.equal(status, "success");
      for (const { args } of parseEventLogs({ abi: referralRebateAbi, logs, eventName: "RebateCredited" })) {
        assert.equal(args.batchId, batchId);
        paid.set(args.user.toLowerCase(), args.amount);
      }
    }
    assert.deepEqual(paid, new Map(lines.map(({ address, amount_micros }) => [address, amount_micros])));
  });

  it("REF-3: a part that was mined while its answer was lost is not sent again", async () => {
    const node = new ExternalNode(scene.chain);
    const lines = linesOf(250);
    node.fault = "lost-reply";
    const cut = await create({ node, wait_ms: NEVER_ms }).sync.send("lost", lines);
    assert.deepEqual(outcomes(cut), ["unknown", "waiting"]);
    assert.equal(cut.isComplete, false);
    await node.mine();
    node.fault = "none";
    // Another process after a crash: it knows only the database and the chain.
    const second = create({ node, wait_ms: NEVER_ms });
    await second.operator.sync();
    assert.deepEqual(outcomes(await second.sync.send("lost", lines)), ["synced", "unknown"]);
    await node.mine();
    await second.operator.sync();
    const done = await second.sync.send("lost", lines);
    assert.deepEqual(outcomes(done), ["synced", "synced"]);
    assert.deepEqual(node.waiting, []);
    await assertCreditedOnce(lines);
  });

  it("REF-3: a crash after the bytes were stored and before they left sends the same ones", async () => {
    const node = new ExternalNode(scene.chain);
    const lines = linesOf(2);
    node.fault = "lost-request";
    assert.deepEqual(outcomes(await create({ node, wait_ms: NEVER_ms }).sync.send("stored", lines)), ["unknown"]);
    assert.deepEqual(node.waiting, []);
    node.fault = "none";
    const next = create({ node, wait_ms: NEVER_ms });
    await next.operator.sync();
    assert.equal(node.waiting.length, 1);
    await node.mine();
    await next.operator.sync();
    assert.deepEqual(outcomes(await next.sync.send("stored", lines)), ["synced"]);
    await assertCreditedOnce(lines);
  });

  it("REF-3: a part that was reverted is tried again under another name", async () => {
    const node = new ExternalNode(scene.chain);
    const lines = linesOf(1);
    const { sync, operator } = create({ node, wait_ms: NEVER_ms });
    assert.deepEqual(outcomes(await sync.send("reverted", lines)), ["unknown"]);
    await scene.pause(true);
    await node.mine();
    await operator.sync();
    const paused = await sync.send("reverted", lines);
    assert.deepEqual(outcomes(paused), ["failed"]);
    await scene.pause(false);
    assert.deepEqual(outcomes(await sync.send("reverted", lines)), ["unknown"]);
    await node.mine();
    await operator.sync();
    assert.deepEqual(outcomes(await sync.send("reverted", lines)), ["synced"]);
    await assertCreditedOnce(lines);
  });

  it("REF-3: what cannot be paid is not sent, and goes on once it can", async () => {
    const lines = linesOf(1, 5_000_000_000n);
    const refused = await create().sync.send("poor", lines);
    assert.equal(refused.parts[0]!.outcome.state, "failed");
    assert.equal(await credited(lines[0]!), 0n);
    await scene.mint(scene.operatorAccount.address, 5_000_000_000n);
    assert.equal((await create().sync.send("poor", lines)).isComplete, true);
    await assertCreditedOnce(lines);
  });

  it("REF-3: a name that was used for other lines is refused before anything is sent", async () => {
    const { sync } = create();
    const lines = linesOf(2);
    await sync.send("bound", lines);
    const blocks = scene.chain.tip.number;
    await assert.rejects(sync.send("bound", linesOf(2)), RebateConflict);
    await assert.rejects(sync.send("bound", [{ ...lines[0]!, amount_micros: 11n }, lines[1]!]), RebateConflict);
    assert.equal(scene.chain.tip.number, blocks);
    await assertCreditedOnce(lines);
  });

  it("REF-3: a database that lost its memory finds the part on the chain once the indexer has seen it", async () => {
    const lines = linesOf(3);
    const { parts } = await create().sync.send("restored", lines);
    await referralDb(database).deleteFrom("referral_sync").where("batch_ref", "=", "restored").execute();
    await operatorDb(database).deleteFrom("chain_attempt").where("ref", "like", "rebate:restored:%").execute();
    await operatorDb(database).deleteFrom("chain_transaction").where("ref", "like", "rebate:restored:%").execute();
    // Nothing is needed, so no new allowance is given.
    await scene.allowOperatorsTokens(0n);
    const { sync } = create();
    const blocks = scene.chain.tip.number;
    const [unseen] = (await sync.send("restored", lines)).parts;
    assert.deepEqual(unseen!.outcome, {
      state: "unknown",
      tx_hash: null,
      reason: "it is on the chain, where the indexer has not come to it yet",
    });
    await scene.indexerOn(database, createReferralListener({ tellAffected: async () => undefined })).sync();
    assert.deepEqual((await sync.send("restored", lines)).parts, parts);
    assert.equal(scene.chain.tip.number, blocks);
    await referralDb(database).deleteFrom("referral_sync").where("batch_ref", "=", "restored").execute();
    await assert.rejects(sync.send("restored", lines.slice(1)), RebateConflict);
    await assertCreditedOnce(lines);
  });

  it("REF-3: it refuses to start where the wallet is no operator of the contract", async () => {
    const stranger = new Operator({ ...scene, database, key: `0x${"0c".repeat(32)}` });
    const sync = new RebateSync({ ...scene, database, operator: stranger, addresses: scene.contracts });
    await assert.rejects(sync.send("stranger", linesOf(1)), NotOperator);
    const rows = await referralDb(database).selectFrom("referral_sync").selectAll().execute();
    assert.ok(!rows.some(({ batch_ref }) => batch_ref === "stranger"));
  });

  it("REF-3: a claim pays what was credited, and claimed_usd and nonce show it", async () => {
    const user = await scene.user(50);
    const { sync, operator } = create();
    const log = { warn: () => undefined };
    const reads = new ReferralReads({ ...scene, operator: operator.address, log });
    for (const [name, amount, claimed_usd, nonce] of [
      ["claim-1", 7_000_000n, "7.000000", 1],
      ["claim-2", 3_500_001n, "10.500001", 2],
    ] as const) {
      await sync.send(name, [{ address: lower(user), amount_micros: amount }]);
      const held = await scene.tokensOf(user.address);
      await scene.claim(user);
      assert.equal((await scene.tokensOf(user.address)) - held, amount);
      const shown = await reads.userRebate(lower(user));
      assert.deepEqual([shown.claimed_usd, shown.nonce], [claimed_usd, nonce]);
      assert.deepEqual(await reads.claimed(lower(user)), { address: lower(user), claimed_usd });
      scene.clock.advance(15_000);
    }
    await assert.rejects(scene.claim(user), /NothingToClaim|reverted/);
    await assert.rejects(scene.claim(wallet(51)));
  });

  it("REF-3: a part of an id that is taken is refused by the contract", async () => {
    const id = bytes32("taken");
    await scene.allowOperatorsTokens();
    await scene.syncRebates(id, [payee(9_999)], [1n]);
    await assert.rejects(scene.syncRebates(id, [payee(9_999)], [1n]));
    assert.equal(await credited({ address: payee(9_999) }), 1n);
  });
});
