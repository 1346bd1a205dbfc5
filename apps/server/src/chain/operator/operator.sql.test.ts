import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import { encodeFunctionData, type Hex, keccak256, parseTransaction } from "viem";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import type { ChainClient } from "../client.ts";
import type { EmbeddedChain } from "../embedded/embedded-chain.ts";
import { DEPLOYER_KEY } from "../embedded/node.ts";
import { CHAIN_ID, clientOf, deployer, NOBODY, openTestChain, signerOn, transfer } from "../testing/chains.ts";
import { ExternalNode } from "../testing/external-node.ts";
import { compileProbe, probeAbi } from "../testing/probe-contract.ts";
import { operatorMigrations } from "./migrations.ts";
import { Operator } from "./operator.ts";
import { operatorDb } from "./tables.ts";

const FAR = 2n ** 40n;

describe("the operator", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase(operatorMigrations);
  });
  after(() => database.close());
  beforeEach(async () => {
    await operatorDb(database).deleteFrom("chain_attempt").execute();
    await operatorDb(database).deleteFrom("chain_transaction").execute();
  });

  const operatorOn = (client: ChainClient, clock: { now(): number }) =>
    new Operator({ client, database, clock, key: DEPLOYER_KEY });
  const rows = () => operatorDb(database).selectFrom("chain_transaction").selectAll().orderBy("nonce").execute();
  const attempts = () => operatorDb(database).selectFrom("chain_attempt").selectAll().orderBy("number").execute();
  const pay = (ref: string, value_wei = 1n) => ({ ref, to: NOBODY, value_wei }) as const;

  async function onEmbedded(t: TestContext, confirmations = 0) {
    const { chain, clock } = await openTestChain(t);
    const client = clientOf(chain, confirmations);
    return { chain, clock, client, operator: operatorOn(client, clock) };
  }
  async function onExternal(t: TestContext, confirmations = 0) {
    const { chain, clock } = await openTestChain(t);
    const node = new ExternalNode(chain);
    const client = node.client(confirmations);
    return { chain, clock, node, client, operator: operatorOn(client, clock) };
  }
  const paid = (chain: EmbeddedChain) => clientOf(chain).public.getBalance({ address: NOBODY });
  async function deployProbe(chain: EmbeddedChain) {
    const hash = await signerOn(chain).deployContract({ abi: probeAbi, bytecode: compileProbe() });
    return (await clientOf(chain).public.getTransactionReceipt({ hash })).contractAddress!;
  }

  it("RUN-3: what is mined is confirmed, and a second call with the same reference pays nothing", async (t) => {
    const { chain, operator, client } = await onEmbedded(t);
    const outcome = await operator.send(pay("w:1", 5n));
    assert.deepEqual(outcome, {
      state: "confirmed",
      hash: outcome.state === "confirmed" ? outcome.hash : "",
      blockNumber: 1,
      blockHash: chain.tip.hash,
    });
    assert.deepEqual(await operator.send(pay("w:1", 5n)), outcome);
    assert.deepEqual(await operatorOn(client, { now: Date.now }).submit(pay("w:1", 5n)), outcome);
    assert.equal(await paid(chain), 5n);
    assert.equal(chain.tip.number, 1);
    assert.deepEqual([operator.counts.signed, operator.counts.confirmed, operator.counts.open], [1, 1, 0]);
    assert.equal(await operator.outcomeOf("w:2"), undefined);
  });

  it("a reference that was used for another call is refused", async (t) => {
    const { chain, operator } = await onEmbedded(t);
    await operator.send(pay("w:1", 5n));
    await assert.rejects(
      operator.send(pay("w:1", 6n)),
      /^ReferenceConflict: the reference w:1 was used for another transaction$/,
    );
    await assert.rejects(operator.send({ ...pay("w:1", 5n), data: "0x01" }), /used for another transaction/);
    assert.equal(await paid(chain), 5n);
  });

  it("what would fail is not sent, uses no nonce and leaves its reference free", async (t) => {
    const { chain, clock, operator } = await onEmbedded(t);
    const to = await deployProbe(chain);
    const call = (due: bigint) => ({
      ref: "p:1",
      to,
      data: encodeFunctionData({ abi: probeAbi, functionName: "noteAfter", args: [due] }),
    });
    const refused = await operator.send(call(FAR));
    assert.equal(refused.state, "not_sent");
    assert.deepEqual(await rows(), []);
    assert.equal((await operator.send(call(BigInt(clock.now() / 1_000)))).state, "confirmed");
  });

  it("a chain that cannot be asked before anything is stored: not sent", async (t) => {
    const { chain, operator } = await onEmbedded(t);
    await chain.close();
    const outcome = await operator.send(pay("w:1"));
    assert.equal(outcome.state, "not_sent");
    assert.deepEqual(await rows(), []);
  });

  it("what fails on the chain is reverted", async (t) => {
    const { chain, node, operator } = await onExternal(t);
    const to = await deployProbe(chain);
    node.gasEstimate = 100_000n;
    const data = encodeFunctionData({ abi: probeAbi, functionName: "noteAfter", args: [FAR] });
    const submitted = await operator.submit({ ref: "p:1", to, data });
    assert.equal(submitted.state, "unknown");
    await node.mine();
    await operator.sync();
    const outcome = await operator.outcomeOf("p:1");
    assert.deepEqual([outcome?.state, operator.counts.reverted], ["reverted", 1]);
  });

  it("RUN-3: a crash between storing and sending: the same bytes go out, once", async (t) => {
    const { chain, clock, client, node, operator } = await onExternal(t);
    node.fault = "lost-request";
    const submitted = await operator.submit(pay("w:1", 7n));
    assert.equal(submitted.state, "unknown");
    assert.match(String(submitted.state === "unknown" && submitted.reason), /connection was refused/);
    assert.deepEqual([(await rows())[0]?.status, node.waiting.length], ["signed", 0]);
    node.fault = "none";
    const restarted = operatorOn(client, clock);
    await restarted.sync();
    const [attempt] = await attempts();
    assert.deepEqual(
      node.waiting.map(({ raw }) => raw),
      [attempt?.raw],
    );
    assert.equal((await rows())[0]?.status, "sent");
    await node.mine();
    assert.equal((await restarted.send(pay("w:1", 7n))).state, "confirmed");
    assert.equal(await paid(chain), 7n);
    assert.equal((await attempts()).length, 1);
  });

  it("RUN-3: a reply that was lost: unknown, never not sent, and then confirmed", async (t) => {
    const { chain, node, operator } = await onExternal(t);
    node.fault = "lost-reply";
    const submitted = await operator.submit(pay("w:1", 7n));
    assert.equal(submitted.state, "unknown");
    await node.mine();
    const outcome = await operator.send(pay("w:1", 7n));
    assert.equal(outcome.state, "confirmed");
    assert.equal(outcome.state === "confirmed" && outcome.hash, submitted.state === "unknown" && submitted.hash);
    assert.equal(await paid(chain), 7n);
  });

  it("a node that has forgotten what waits gets it again", async (t) => {
    const { node, operator } = await onExternal(t);
    await operator.submit(pay("w:1"));
    const [first] = node.waiting;
    node.forgetAll();
    await operator.sync();
    assert.deepEqual(node.waiting, [first]);
  });

  it("RUN-3: a receipt counts when its confirmations have passed, and a wait that is too short says unknown", async (t) => {
    const { chain, node, operator } = await onExternal(t, 2);
    await operator.submit(pay("w:1"));
    await node.mine();
    const state = async () => (await operator.send(pay("w:1"), { wait_ms: 0 })).state;
    assert.equal(await state(), "unknown");
    await node.mineEmpty(1);
    assert.equal(await state(), "unknown");
    await node.mineEmpty(1);
    assert.equal(await state(), "confirmed");
    assert.equal(chain.tip.number, 3);
  });

  async function stuck(t: TestContext) {
    const external = await onExternal(t);
    await external.operator.submit(pay("w:1", 3n));
    await external.operator.submit(pay("w:2", 4n));
    await external.node.mineEmpty(9);
    await external.operator.sync();
    assert.equal((await attempts()).length, 2, "nine blocks are not enough");
    await external.node.mineEmpty(1);
    await external.operator.sync();
    return external;
  }

  it("a stuck transaction is offered again at a higher fee; those behind it wait", async (t) => {
    const { chain, node, operator } = await stuck(t);
    const all = await attempts();
    const [first, second] = all.filter(({ ref }) => ref === "w:1");
    assert.equal(all.filter(({ ref }) => ref === "w:2").length, 1);
    const [before, raised] = [parseTransaction(first!.raw as Hex), parseTransaction(second!.raw as Hex)];
    assert.deepEqual([raised.nonce, raised.to, raised.value], [before.nonce, before.to, before.value]);
    assert.ok(raised.maxFeePerGas! * 4n >= before.maxFeePerGas! * 5n);
    assert.ok(raised.maxPriorityFeePerGas! * 4n >= before.maxPriorityFeePerGas! * 5n);
    assert.deepEqual(node.waiting.map(({ nonce }) => nonce).sort(), [0, 1]);
    await node.mine();
    const outcome = await operator.send(pay("w:1", 3n));
    assert.equal(outcome.state === "confirmed" && outcome.hash, second!.hash);
    assert.equal((await operator.send(pay("w:2", 4n))).state, "confirmed");
    assert.equal(await paid(chain), 7n);
    assert.equal(operator.counts.raised, 1);
  });

  it("of a transaction that was offered twice the first may be mined all the same", async (t) => {
    const { chain, operator } = await stuck(t);
    const [first] = (await attempts()).filter(({ ref }) => ref === "w:1");
    await chain.sendRawTransaction(first!.raw as Hex);
    const outcome = await operator.send(pay("w:1", 3n));
    assert.equal(outcome.state === "confirmed" && outcome.hash, first!.hash);
    assert.equal(await paid(chain), 3n);
  });

  it("a nonce that another transaction has used: unknown at first, not sent once that is deep in the chain", async (t) => {
    const { chain, node, operator } = await onExternal(t);
    await operator.submit(pay("w:1", 5n));
    node.forgetAll();
    node.fault = "lost-request";
    await chain.sendRawTransaction(await transfer(0, { value: 100n }));
    await node.mineEmpty(15);
    await operator.sync();
    assert.equal((await operator.outcomeOf("w:1"))?.state, "unknown");
    await node.mineEmpty(1);
    await operator.sync();
    const outcome = await operator.outcomeOf("w:1");
    assert.deepEqual(outcome, {
      state: "not_sent",
      reason: "nonce 0 was used by another transaction of the same wallet",
    });
    node.fault = "none";
    await operator.submit(pay("w:2", 6n));
    await node.mine();
    await operator.sync();
    assert.equal((await operator.outcomeOf("w:2"))?.state, "confirmed");
    assert.equal(await paid(chain), 106n);
  });

  it("ERN-9: a reorganisation that takes back what counted: the same bytes are mined again", async (t) => {
    const { chain, operator } = await onEmbedded(t);
    const fork = await chain.snapshot();
    const before = await operator.send(pay("w:1", 5n));
    await chain.revertTo(fork);
    await chain.mine();
    assert.equal(await paid(chain), 0n);
    await operator.sync();
    const after = await operator.send(pay("w:1", 5n));
    assert.equal(after.state, "confirmed");
    assert.deepEqual(
      [after.state === "confirmed" && after.hash, after.state === "confirmed" && after.blockNumber],
      [before.state === "confirmed" && before.hash, 2],
    );
    assert.equal(await paid(chain), 5n);
  });

  it("RUN-3: many at once, from two processes: every call has a nonce of its own and is mined once", async (t) => {
    const { chain, clock, client, operator } = await onEmbedded(t);
    const other = operatorOn(client, clock);
    const calls = Array.from({ length: 12 }, (_, number) => pay(`w:${number}`, 1n));
    const outcomes = await Promise.all(
      calls.flatMap((call, number) =>
        number % 3 === 0 ? [operator.send(call), other.send(call)] : [(number % 2 === 0 ? operator : other).send(call)],
      ),
    );
    assert.deepEqual(new Set(outcomes.map(({ state }) => state)), new Set(["confirmed"]));
    assert.deepEqual(
      (await rows()).map(({ nonce }) => Number(nonce)),
      Array.from({ length: 12 }, (_, nonce) => nonce),
    );
    assert.equal(await paid(chain), 12n);
    assert.equal(await client.public.getTransactionCount({ address: deployer.address }), 12);
  });

  it("what is stored is what was signed", async (t) => {
    const { operator } = await onEmbedded(t);
    await operator.send(pay("w:1", 2n ** 80n));
    const [row] = await rows();
    const [attempt] = await attempts();
    assert.equal(keccak256(attempt?.raw as Hex), attempt?.hash);
    assert.deepEqual(
      [row?.hash, row?.chain_id, row?.sender, row?.value_wei, row?.gas_limit],
      [attempt?.hash, BigInt(CHAIN_ID), deployer.address.toLowerCase(), String(2n ** 80n), 75_202n],
    );
  });
});
