import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { PrivateKeyAccount } from "viem";
import { seededRandom } from "../kernel/random.ts";
import { type DiscountBench, openDiscountBench } from "./testing/discount-bench.ts";
import { bytes32, lower } from "./testing/referral-scene.ts";

const STEPS = process.env["TEST_DEPTH"] === "long" ? 120 : 60;
const CODES = ["A", "B", "C", "D"].map(bytes32);

describe("random histories of the referral contract", () => {
  let bench: DiscountBench;
  const affiliates: PrivateKeyAccount[] = [];
  const traders: PrivateKeyAccount[] = [];
  const random = seededRandom("referral-histories");
  const below = (limit: number) => random.bytes(4).readUInt32BE(0) % limit;
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;

  before(async () => {
    bench = await openDiscountBench();
    for (const code of CODES) {
      const affiliate = await bench.newUser();
      await bench.scene.registerCode(affiliate, code);
      affiliates.push(affiliate);
    }
    for (let count = 0; count < 8; count += 1) traders.push(await bench.newUser());
    await bench.sync();
  });
  after(() => bench.close());

  async function useAnotherCode(trader: PrivateKeyAccount): Promise<void> {
    const { code: used } = await bench.scene.contract.traderReferral(trader.address);
    await bench.scene.useCode(trader, pick(CODES.filter((code) => code !== used)));
  }
  const moves = [
    () => useAnotherCode(pick(traders)),
    () => useAnotherCode(pick(traders)),
    () => bench.scene.setTier(pick(affiliates), below(5)),
    () => bench.scene.setTierTerms(below(5), pick([0, 1, 333, 2_500, 10_000]), pick([0, 3_333, 5_000, 10_000])),
    () => bench.directory.ensure(lower(pick(traders))),
  ];

  async function assertAgreement(step: number): Promise<void> {
    for (const trader of traders) {
      const account = bench.directory.numberOf(lower(trader));
      if (account === undefined) continue;
      const { discountBps } = await bench.scene.contract.traderReferral(trader.address);
      assert.equal(bench.discountOf(account), discountBps, `trader ${lower(trader)} after step ${step}`);
    }
  }

  it("REF-4, ERN-9: whatever happens, and is undone, the engine has the discount that the contract has", async () => {
    let rewinds = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const isDoomed = below(4) === 0;
      const before = isDoomed ? await bench.tables() : undefined;
      const fork = isDoomed ? await bench.scene.chain.snapshot() : undefined;
      const first = bench.scene.chain.tip.number;
      for (let moved = 0; moved <= below(4); moved += 1) await pick(moves)();
      await bench.sync();
      await assertAgreement(step);
      if (fork === undefined) continue;
      const orphaned = bench.scene.chain.tip.number - first;
      await bench.scene.chain.revertTo(fork);
      for (let mined = 0; mined <= orphaned; mined += 1) await bench.scene.chain.mine();
      await bench.sync();
      assert.deepEqual(await bench.tables(), before, `the tables after step ${step} was undone`);
      await assertAgreement(step);
      rewinds += 1;
    }
    assert.ok(rewinds > STEPS / 8, `${rewinds} rewinds`);
    assert.ok(traders.filter((trader) => bench.directory.numberOf(lower(trader)) !== undefined).length > 4);
  });
});
