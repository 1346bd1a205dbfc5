import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeFunctionData, type Hex } from "viem";
import { clientOf, deployer, NOBODY, openTestChain, START_ms, signerOn, transfer, wallet } from "../testing/chains.ts";
import { holdDisk } from "../testing/held-disk.ts";
import { compileProbe, probeAbi } from "../testing/probe-contract.ts";
import type { EmbeddedChain } from "./embedded-chain.ts";

const blockHashes = (chain: EmbeddedChain) =>
  chain.read(async (ask) => {
    const hashes: Hex[] = [];
    for (let number = 0; number <= chain.tip.number; number += 1) {
      const block = await ask("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
      hashes.push((block as { hash: Hex }).hash);
    }
    return hashes;
  });

const refusalOf = async (action: Promise<unknown>): Promise<string> => {
  try {
    await action;
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return assert.fail("it was not refused");
};

describe("the embedded chain", () => {
  it("RUN-2: a transaction is in a block of its own when it is acknowledged, at the time of the clock", async (t) => {
    const { chain, clock } = await openTestChain(t);
    const { public: client } = clientOf(chain);
    assert.equal(await client.getChainId(), 43_113);
    clock.advance(5_500);
    const hash = await chain.sendRawTransaction(await transfer(0));
    const receipt = await client.getTransactionReceipt({ hash });
    assert.deepEqual(
      [receipt.blockNumber, receipt.status, receipt.from],
      [1n, "success", deployer.address.toLowerCase()],
    );
    const block = await client.getBlock({ blockNumber: 1n });
    assert.deepEqual(block.transactions, [hash]);
    assert.equal(Number(block.timestamp), START_ms / 1_000 + 5);
    assert.deepEqual(chain.tip, { number: 1, hash: block.hash, timestamp_s: START_ms / 1_000 + 5 });
    assert.equal(await client.getBalance({ address: NOBODY }), 1n);
  });

  it("RUN-2: nobody but the deployer has anything at the beginning", async (t) => {
    const { chain } = await openTestChain(t);
    const { public: client } = clientOf(chain);
    assert.equal(await client.getBalance({ address: deployer.address }), 10n ** 27n);
    assert.equal(await client.getBalance({ address: wallet(1).address }), 0n);
    const tools = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    assert.equal(await client.getBalance({ address: tools }), 0n);
  });

  it("RUN-6: a clock that was moved moves the chain by an empty block, and one that was not does nothing", async (t) => {
    const { chain, clock } = await openTestChain(t);
    await chain.followClock();
    assert.equal(chain.tip.number, 0);
    clock.advance(86_400_000);
    await chain.followClock();
    assert.equal(chain.tip.number, 1);
    assert.equal(chain.tip.timestamp_s, START_ms / 1_000 + 86_400);
    await chain.followClock();
    assert.equal(chain.tip.number, 1);
  });

  it("RUN-9: a chain that is ahead of the clock stays at its time", async (t) => {
    const { chain, folder } = await openTestChain(t, { now_ms: START_ms + 60_000 });
    await chain.mine();
    await chain.close();
    const { chain: again } = await openTestChain(t, { folder, now_ms: START_ms });
    assert.equal((await again.mine()).timestamp_s, START_ms / 1_000 + 60);
  });

  it("refuses what cannot be mined, in the words that libraries know, and stays as it was", async (t) => {
    const { chain } = await openTestChain(t);
    await chain.sendRawTransaction(await transfer(0));
    const before = chain.tip;
    const poor = await wallet(1).signTransaction({
      type: "eip1559",
      chainId: 43_113,
      nonce: 0,
      gas: 21_000n,
      to: NOBODY,
      maxFeePerGas: 10n ** 10n,
    });
    const refused: readonly (readonly [Hex, RegExp])[] = [
      [await transfer(0), /^nonce too low: .* 1 but got 0\.$/],
      [await transfer(2), /^nonce too high: .* 1 but got 2\.$/],
      [await transfer(1, { maxFeePerGas: 1n }), /^max fee per gas less than block base fee/],
      [await transfer(1, { gas: 20_000n }), /^intrinsic gas too low/],
      [await transfer(1, { gas: 30_000_001n }), /^exceeds block gas limit/],
      [await transfer(1, { value: 10n ** 30n }), /^insufficient funds for gas \* price \+ value/],
      [poor, /^insufficient funds for gas \* price \+ value/],
      [await transfer(1, { chainId: 1 }), /invalid chainId/],
      [await transfer(1, { data: `0x${"00".repeat(65_536)}`, gas: 3_000_000n }), /^oversized data/],
    ];
    for (const [raw, words] of refused) assert.match(await refusalOf(chain.sendRawTransaction(raw)), words);
    assert.deepEqual(chain.tip, before);
    assert.equal(chain.refusedTransactions, refused.length);
    await chain.sendRawTransaction(await transfer(1));
    assert.equal(chain.tip.number, 2);
  });

  it("RUN-2: after a restart every block is there with its hash, whatever was asked or refused in between", async (t) => {
    const { chain, clock, folder } = await openTestChain(t);
    const signer = signerOn(chain);
    const { public: client } = clientOf(chain);
    const deployment = await signer.deployContract({ abi: probeAbi, bytecode: compileProbe() });
    const { contractAddress } = await client.getTransactionReceipt({ hash: deployment });
    const probe = { address: contractAddress!, abi: probeAbi } as const;
    for (let round = 1n; round <= 5n; round += 1n) {
      clock.advance(1_700);
      await signer.writeContract({ ...probe, functionName: "note", args: [round] });
      await refusalOf(chain.sendRawTransaction(await transfer(0)));
      await client.estimateContractGas({ ...probe, functionName: "note", args: [9n], account: deployer });
      await chain.mine();
    }
    // This transaction reverts: it is in a block nevertheless.
    const failing = encodeFunctionData({ abi: probeAbi, functionName: "noteAfter", args: [2n ** 40n] });
    await chain.sendRawTransaction(await transfer(6, { to: probe.address, data: failing, value: 0n, gas: 100_000n }));
    const hashes = await blockHashes(chain);
    await chain.close();
    const { chain: again } = await openTestChain(t, { folder, seed: "another", now_ms: clock.now() });
    assert.equal(again.replay.blocks, 12);
    assert.deepEqual(await blockHashes(again), hashes);
    assert.equal(await clientOf(again).public.readContract({ ...probe, functionName: "noted" }), 5n);
    await again.sendRawTransaction(await transfer(7));
    assert.equal(again.tip.number, 13);
  });

  it("several transactions in one block, all or none", async (t) => {
    const { chain, folder } = await openTestChain(t);
    const block = await chain.mine([await transfer(0), await transfer(1), await transfer(2)]);
    assert.deepEqual([block.number, block.transactions.length], [1, 3]);
    const withGap = [await transfer(3), await transfer(5)];
    assert.match(await refusalOf(chain.mine(withGap)), /cannot be mined in one block/);
    assert.equal(chain.tip.hash, block.hash);
    await chain.sendRawTransaction(await transfer(3));
    const hashes = await blockHashes(chain);
    await chain.close();
    assert.deepEqual(await blockHashes((await openTestChain(t, { folder })).chain), hashes);
  });

  it("ERN-9: a chain can go back and take another branch, and a restart leads to that branch", async (t) => {
    const { chain, folder } = await openTestChain(t);
    await chain.sendRawTransaction(await transfer(0));
    const fork = await chain.snapshot();
    const orphans = [
      await chain.sendRawTransaction(await transfer(1)),
      await chain.sendRawTransaction(await transfer(2)),
    ];
    const orphanedTip = chain.tip;
    await chain.revertTo(fork);
    assert.deepEqual(chain.tip, fork.tip);
    await assert.rejects(chain.revertTo(fork), /this snapshot was used already/);
    const { public: client } = clientOf(chain);
    for (const hash of orphans) await assert.rejects(client.getTransactionReceipt({ hash }), /could not be found/);
    await chain.mine();
    await chain.sendRawTransaction(await transfer(1, { value: 5n }));
    assert.equal(chain.tip.number, orphanedTip.number);
    assert.notEqual(chain.tip.hash, orphanedTip.hash);
    const hashes = await blockHashes(chain);
    await chain.close();
    const { chain: again } = await openTestChain(t, { folder });
    assert.deepEqual(await blockHashes(again), hashes);
    assert.equal(await clientOf(again).public.getBalance({ address: NOBODY }), 6n);
  });

  it("RUN-2: nobody sees a block that is not on the disk yet", async (t) => {
    const { chain } = await openTestChain(t);
    const { public: client } = clientOf(chain);
    const disk = await holdDisk(t);
    const order: string[] = [];
    const sending = chain.sendRawTransaction(await transfer(0)).then(() => order.push("acknowledged"));
    await disk.reached();
    const reading = client.getBlockNumber().then((number) => order.push(`read ${number}`));
    assert.equal(chain.tip.number, 0);
    assert.deepEqual(order, []);
    disk.pass();
    await Promise.all([sending, reading]);
    assert.deepEqual(order, ["acknowledged", "read 1"]);
  });

  it("RUN-7: a disk that fails ends it: nothing is acknowledged, nothing of the block is ever shown", async (t) => {
    const { chain, folder } = await openTestChain(t);
    const { public: client } = clientOf(chain);
    const disk = await holdDisk(t);
    const sending = refusalOf(chain.sendRawTransaction(await transfer(0)));
    await disk.reached();
    const reading = refusalOf(client.getBlockNumber());
    disk.fail("EIO");
    assert.equal(await sending, "the chain's log could not be written (EIO)");
    assert.match(await reading, /the chain's log could not be written \(EIO\)/);
    assert.match(await refusalOf(chain.mine()), /could not be written/);
    assert.equal(chain.failure?.message, "the chain's log could not be written (EIO)");
    assert.equal(chain.tip.number, 0);
    await chain.close();
    disk.release();
    // The block may exist or not, and it was not acknowledged. The log must be valid.
    const { chain: again } = await openTestChain(t, { folder });
    assert.ok(again.tip.number <= 1);
  });

  it("transactions handed over together are mined in their order", async (t) => {
    const { chain } = await openTestChain(t);
    const raws = await Promise.all(Array.from({ length: 150 }, (_, nonce) => transfer(nonce)));
    const hashes = await Promise.all(raws.map((raw) => chain.sendRawTransaction(raw)));
    assert.equal(chain.tip.number, 150);
    assert.equal(chain.minedTransactions, 150);
    const { public: client } = clientOf(chain);
    const last = await client.getTransactionReceipt({ hash: hashes[149]! });
    assert.equal(last.blockNumber, 150n);
  });

  it("RUN-6: calls and estimates see the time of the clock, not that of the last block", async (t) => {
    const { chain, clock } = await openTestChain(t);
    const signer = signerOn(chain);
    const { public: client } = clientOf(chain);
    const hash = await signer.deployContract({ abi: probeAbi, bytecode: compileProbe() });
    const { contractAddress, blockNumber } = await client.getTransactionReceipt({ hash });
    const probe = { address: contractAddress!, abi: probeAbi } as const;
    clock.advance(3_600_000);
    const due = BigInt(clock.now() / 1_000);
    assert.equal(await client.readContract({ ...probe, functionName: "time" }), due);
    assert.equal(await client.readContract({ ...probe, functionName: "time", blockNumber }), due - 3_600n);
    const early = client.estimateContractGas({
      ...probe,
      functionName: "noteAfter",
      args: [due + 1n],
      account: deployer,
    });
    await assert.rejects(early, /TooEarly/);
    await signer.writeContract({ ...probe, functionName: "noteAfter", args: [due] });
    assert.equal(await client.readContract({ ...probe, functionName: "noted" }), due);
  });
});
