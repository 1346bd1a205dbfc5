import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { type Address, type Hex, stringToHex, zeroAddress, zeroHash } from "viem";
import { referralRebateAbi, referralRebateBytecode } from "../src/index.ts";
import { eventsOf, onlyEvent, refuses } from "./support/outcomes.ts";
import { FIRST_TOKENS, type Name, startWorld, wallets } from "./support/world.ts";

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());
const { referral, mined, by } = world;
const ALICE = wallets.alice.address;
const BOB = wallets.bob.address;
const CAROL = wallets.carol.address;

const codeOf = (text: string): Hex => stringToHex(text, { size: 32 });
const CODE = codeOf("ALICE10");
const batchOf = (number: number): Hex => stringToHex(`batch ${number}`, { size: 32 });
const register = (name: Name, code: Hex) => mined(referral.write.registerCode([code], by(name)));
const sync = (batchId: Hex, users: readonly Address[], amounts: readonly bigint[]) =>
  mined(referral.write.syncRebates([batchId, users, amounts], by("operator")));

test("a code belongs to the first wallet that registers it, and a wallet may have several", async () => {
  const receipt = await register("alice", CODE);
  assert.deepEqual(onlyEvent(receipt, referralRebateAbi, "CodeRegistered"), { code: CODE, owner: ALICE });
  await register("alice", codeOf("ANOTHER"));
  assert.equal(await referral.read.codeOwner([CODE]), ALICE);
  assert.equal(await referral.read.codeOwner([codeOf("ANOTHER")]), ALICE);
  await refuses(referral.simulate.registerCode([CODE], by("bob")), "CodeTaken", [CODE]);
  await refuses(referral.simulate.registerCode([CODE], by("alice")), "CodeTaken", [CODE]);
  await refuses(referral.simulate.registerCode([zeroHash], by("bob")), "EmptyCode");
});

test("a trader binds itself to a code and may change it, and the event has the old and the new", async () => {
  await register("alice", CODE);
  await register("carol", codeOf("CAROL"));
  const first = await mined(referral.write.useCode([CODE], by("bob")));
  assert.deepEqual(onlyEvent(first, referralRebateAbi, "CodeUsed"), {
    trader: BOB,
    oldCode: zeroHash,
    newCode: CODE,
    oldReferrer: zeroAddress,
    newReferrer: ALICE,
  });
  const second = await mined(referral.write.useCode([codeOf("CAROL")], by("bob")));
  assert.deepEqual(onlyEvent(second, referralRebateAbi, "CodeUsed"), {
    trader: BOB,
    oldCode: CODE,
    newCode: codeOf("CAROL"),
    oldReferrer: ALICE,
    newReferrer: CAROL,
  });
  assert.equal((await referral.read.traderReferral([BOB])).referrer, CAROL);
});

test("a code that is unknown, one's own or the present one is refused", async () => {
  await register("alice", CODE);
  await refuses(referral.simulate.useCode([codeOf("NOBODY")], by("bob")), "UnknownCode", [codeOf("NOBODY")]);
  await refuses(referral.simulate.useCode([zeroHash], by("bob")), "UnknownCode", [zeroHash]);
  await refuses(referral.simulate.useCode([CODE], by("alice")), "OwnCode", [CODE]);
  await mined(referral.write.useCode([CODE], by("bob")));
  await refuses(referral.simulate.useCode([CODE], by("bob")), "CodeUnchanged", [CODE]);
});

const tiers = [
  [0, 1_000, 500, 500],
  [1, 1_500, 750, 750],
  [2, 2_000, 1_000, 1_000],
  [3, 2_500, 1_000, 1_500],
  [4, 3_000, 1_200, 1_800],
] as const;
for (const [tier, totalBps, discountBps, affiliateBps] of tiers) {
  test(`REF-1: tier ${tier} gives away ${totalBps} bps: ${discountBps} to the trader, ${affiliateBps} to the affiliate`, async () => {
    await register("alice", CODE);
    await mined(referral.write.useCode([CODE], by("bob")));
    await mined(referral.write.setTier([ALICE, tier], by("operator")));
    assert.deepEqual(await referral.read.traderReferral([BOB]), {
      code: CODE,
      referrer: ALICE,
      totalBps,
      discountBps,
      affiliateBps,
    });
  });
}

test("REF-1: without a code there is no referrer and everything is zero", async () => {
  assert.deepEqual(await referral.read.traderReferral([BOB]), {
    code: zeroHash,
    referrer: zeroAddress,
    totalBps: 0,
    discountBps: 0,
    affiliateBps: 0,
  });
  assert.deepEqual(await referral.read.userRebate([BOB]), {
    credited: 0n,
    claimed: 0n,
    nonce: 0n,
    code: zeroHash,
    referrer: zeroAddress,
    tier: 0,
  });
});

test("the operator sets an affiliate's tier, and the event has the old and the new", async () => {
  await mined(referral.write.setTier([ALICE, 2], by("operator")));
  const receipt = await mined(referral.write.setTier([ALICE, 4], by("operator")));
  const event = onlyEvent(receipt, referralRebateAbi, "TierChanged");
  assert.deepEqual(event, { affiliate: ALICE, oldTier: 2, newTier: 4 });
  assert.equal((await referral.read.userRebate([ALICE])).tier, 4);
  await refuses(referral.simulate.setTier([ALICE, 5], by("operator")), "InvalidTier", [5]);
  await refuses(referral.simulate.setTier([zeroAddress, 1], by("operator")), "ZeroAddress");
});

test("the admin sets what a tier gives; a fraction of a basis point goes to the affiliate", async () => {
  await register("alice", CODE);
  await mined(referral.write.useCode([CODE], by("bob")));
  const receipt = await mined(referral.write.setTierTerms([0, 333, 5_000], by("admin")));
  assert.deepEqual(onlyEvent(receipt, referralRebateAbi, "TierTermsChanged"), {
    tier: 0,
    oldTotalBps: 1_000,
    oldDiscountShareBps: 5_000,
    newTotalBps: 333,
    newDiscountShareBps: 5_000,
  });
  assert.deepEqual(await referral.read.tierTerms([0]), { totalBps: 333, discountShareBps: 5_000 });
  const { totalBps, discountBps, affiliateBps } = await referral.read.traderReferral([BOB]);
  assert.deepEqual([totalBps, discountBps, affiliateBps], [333, 166, 167]);
  await mined(referral.write.setTierTerms([0, 10_000, 10_000], by("admin")));
  assert.equal((await referral.read.traderReferral([BOB])).discountBps, 10_000);
  const refused = (tier: number, total: number, share: number) =>
    referral.simulate.setTierTerms([tier, total, share], by("admin"));
  await refuses(refused(5, 1, 1), "InvalidTier", [5]);
  await refuses(refused(0, 10_001, 1), "InvalidTierTerms", [10_001, 1]);
  await refuses(refused(0, 1, 10_001), "InvalidTierTerms", [1, 10_001]);
  await refuses(referral.read.tierTerms([5]), "InvalidTier", [5]);
});

test("REF-3: a batch takes its tokens from the operator and adds to each user's total", async () => {
  await sync(batchOf(1), [ALICE], [50n]);
  const receipt = await sync(batchOf(2), [ALICE, BOB, ALICE], [5n, 7n, 1n]);
  assert.deepEqual(eventsOf(receipt, referralRebateAbi, "RebateCredited"), [
    { batchId: batchOf(2), user: ALICE, amount: 5n, oldCredited: 50n, newCredited: 55n },
    { batchId: batchOf(2), user: BOB, amount: 7n, oldCredited: 0n, newCredited: 7n },
    { batchId: batchOf(2), user: ALICE, amount: 1n, oldCredited: 55n, newCredited: 56n },
  ]);
  assert.deepEqual(onlyEvent(receipt, referralRebateAbi, "BatchSynced"), {
    batchId: batchOf(2),
    operator: wallets.operator.address,
    userCount: 3n,
    total: 13n,
  });
  assert.equal((await referral.read.userRebate([ALICE])).credited, 56n);
  assert.equal(await referral.read.totalCredited(), 63n);
  assert.equal(await world.tokensOf(referral.address), 63n);
  assert.equal(await world.tokensOf(wallets.operator.address), FIRST_TOKENS - 63n);
});

test("REF-3: a batch is taken once, whatever it holds the second time", async () => {
  assert.equal(await referral.read.isBatchSynced([batchOf(1)]), false);
  await sync(batchOf(1), [ALICE], [50n]);
  assert.equal(await referral.read.isBatchSynced([batchOf(1)]), true);
  const again = referral.simulate.syncRebates([batchOf(1), [BOB], [1n]], by("operator"));
  await refuses(again, "BatchAlreadySynced", [batchOf(1)]);
});

test("REF-3: a batch has 1 to 200 users, each with an amount", async () => {
  const refused = (users: readonly Address[], amounts: readonly bigint[]) =>
    referral.simulate.syncRebates([batchOf(1), users, amounts], by("operator"));
  await refuses(refused([], []), "InvalidBatchSize", [0n, 0n]);
  await refuses(refused([ALICE, BOB], [1n]), "InvalidBatchSize", [2n, 1n]);
  const many = Array.from({ length: 201 }, () => ALICE);
  await refuses(
    refused(
      many,
      many.map(() => 1n),
    ),
    "InvalidBatchSize",
    [201n, 201n],
  );
  await refuses(refused([ALICE, zeroAddress], [1n, 1n]), "ZeroAddress");
  await refuses(refused([ALICE, BOB], [1n, 0n]), "ZeroAmount");
  const payees = many.slice(1);
  await sync(
    batchOf(1),
    payees,
    payees.map(() => 3n),
  );
  assert.equal((await referral.read.userRebate([ALICE])).credited, 600n);
});

test("REF-3: without the tokens nothing is credited and the batch stays open", async () => {
  await mined(world.usdt.write.approve([referral.address, 49n], by("operator")));
  const attempt = () => referral.simulate.syncRebates([batchOf(1), [ALICE], [50n]], by("operator"));
  await refuses(attempt(), "ERC20InsufficientAllowance");
  await mined(world.usdt.write.approve([referral.address, 50n], by("operator")));
  await attempt();
});

test("REF-3: a claim pays what was credited and not yet claimed, and raises the nonce", async () => {
  await sync(batchOf(1), [ALICE, BOB], [50n, 9n]);
  await mined(referral.write.claim(by("alice")));
  await sync(batchOf(2), [ALICE], [20n]);
  const receipt = await mined(referral.write.claim(by("alice")));
  assert.deepEqual(onlyEvent(receipt, referralRebateAbi, "RebateClaimed"), {
    user: ALICE,
    amount: 20n,
    oldClaimed: 50n,
    newClaimed: 70n,
    nonce: 2n,
  });
  const { credited, claimed, nonce } = await referral.read.userRebate([ALICE]);
  assert.deepEqual([credited, claimed, nonce], [70n, 70n, 2n]);
  assert.equal(await world.tokensOf(ALICE), FIRST_TOKENS + 70n);
  assert.equal(await world.tokensOf(referral.address), 9n);
  assert.equal(await referral.read.totalClaimed(), 70n);
});

test("there has to be something to claim", async () => {
  await refuses(referral.simulate.claim(by("alice")), "NothingToClaim", [ALICE]);
  await sync(batchOf(1), [ALICE], [50n]);
  await mined(referral.write.claim(by("alice")));
  await refuses(referral.simulate.claim(by("alice")), "NothingToClaim", [ALICE]);
});

test("the contract says who its operator is", async () => {
  assert.equal(await referral.read.isOperator([wallets.operator.address]), true);
  assert.equal(await referral.read.isOperator([wallets.admin.address]), false);
});

test("a pause stops codes and batches, and no claim", async () => {
  await sync(batchOf(1), [ALICE], [50n]);
  await register("alice", CODE);
  await mined(referral.write.pause(by("pauser")));
  await refuses(referral.simulate.registerCode([codeOf("NEW")], by("alice")), "EnforcedPause");
  await refuses(referral.simulate.useCode([CODE], by("bob")), "EnforcedPause");
  const batch = referral.simulate.syncRebates([batchOf(2), [BOB], [1n]], by("operator"));
  await refuses(batch, "EnforcedPause");
  await refuses(referral.simulate.pause(by("pauser")), "EnforcedPause");
  await mined(referral.write.claim(by("alice")));
  await mined(referral.write.unpause(by("pauser")));
  await refuses(referral.simulate.unpause(by("pauser")), "ExpectedPause");
  await mined(referral.write.useCode([CODE], by("bob")));
});

test("the contract needs a token and an admin", async () => {
  const deployment = world.chain.walletClient(wallets.alice).deployContract({
    abi: referralRebateAbi,
    bytecode: referralRebateBytecode,
    args: [zeroAddress, ALICE],
  });
  await refuses(deployment, "ZeroAddress");
});
