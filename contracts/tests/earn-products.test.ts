import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { zeroAddress } from "viem";
import { EARN_STATUSES, type EarnTerms, earnAbi } from "../src/index.ts";
import { FIRST_SECOND } from "./support/chain.ts";
import {
  END,
  fundFully,
  openProduct,
  SETTLE_TIME,
  START,
  settleFully,
  subscribe,
  termsWith,
} from "./support/earn-scenes.ts";
import { onlyEvent, refuses } from "./support/outcomes.ts";
import { DAY_SECONDS, ONE_USDT, startWorld, wallets } from "./support/world.ts";

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());
const { earn, mined, by } = world;

const OPEN = EARN_STATUSES.indexOf("open");
const SETTLED = EARN_STATUSES.indexOf("settled");
const CANCELLED = EARN_STATUSES.indexOf("cancelled");
/** 1,000 USDT at 1200 bps for 30 days. */
const INTEREST = 9_863_013n;

test("products are numbered from 1 and keep the terms they were created with", async () => {
  const receipt = await mined(earn.write.createProduct([termsWith()], by("operator")));
  await mined(earn.write.createProduct([termsWith({ annualRateBps: 500 })], by("operator")));
  assert.deepEqual(onlyEvent(receipt, earnAbi, "ProductCreated"), { productId: 1n, terms: termsWith() });
  assert.equal(await earn.read.productCount(), 2n);
  assert.deepEqual(await earn.read.product([1n]), {
    terms: termsWith(),
    status: OPEN,
    subscriberCount: 0,
    subscribed: 0n,
    principal: 0n,
    interestOwed: 0n,
    funded: 0n,
  });
  assert.equal((await earn.read.product([2n])).terms.annualRateBps, 500);
});

const refusedTerms: readonly (readonly [string, Partial<EarnTerms>, string])[] = [
  ["a rate above 1000 % a year", { annualRateBps: 100_001 }, "RateTooHigh"],
  ["no duration", { durationSeconds: 0 }, "InvalidDuration"],
  ["a duration above ten years", { durationSeconds: 3_650 * DAY_SECONDS + 1 }, "InvalidDuration"],
  ["no minimum", { minAmount: 0n }, "InvalidAmounts"],
  ["a minimum above the user's maximum", { minAmount: 5_000n * ONE_USDT + 1n }, "InvalidAmounts"],
  ["a user's maximum above the quota", { maxAmountPerUser: 10_000n * ONE_USDT + 1n }, "InvalidAmounts"],
  ["a quota beyond measure", { totalQuota: 10n ** 30n + 1n }, "InvalidAmounts"],
  ["a window that ends when it starts", { subscribeEnd: START }, "InvalidWindow"],
  ["a window that is over", { subscribeStart: FIRST_SECOND - 9, subscribeEnd: FIRST_SECOND }, "InvalidWindow"],
];
for (const [what, changes, error] of refusedTerms) {
  test(`terms with ${what} are refused, for a new product and for a change`, async () => {
    await refuses(earn.simulate.createProduct([termsWith(changes)], by("operator")), error);
    await mined(earn.write.createProduct([termsWith()], by("operator")));
    await refuses(earn.simulate.updateProduct([1n, termsWith(changes)], by("operator")), error);
  });
}

test("the widest terms are accepted", async () => {
  const widest = termsWith({
    annualRateBps: 100_000,
    durationSeconds: 3_650 * DAY_SECONDS,
    totalQuota: 10n ** 30n,
    maxAmountPerUser: 10n ** 30n,
    minAmount: 1n,
    subscribeStart: FIRST_SECOND - 9,
    subscribeEnd: FIRST_SECOND + 1,
  });
  await mined(earn.write.createProduct([widest], by("operator")));
  assert.deepEqual((await earn.read.product([1n])).terms, widest);
});

test("terms can be changed until the subscription starts, and the event has the old and the new", async () => {
  await mined(earn.write.createProduct([termsWith()], by("operator")));
  const newTerms = termsWith({ annualRateBps: 900, subscribeStart: START + 60 });
  const receipt = await mined(earn.write.updateProduct([1n, newTerms], by("operator")));
  assert.deepEqual(onlyEvent(receipt, earnAbi, "ProductUpdated"), { productId: 1n, oldTerms: termsWith(), newTerms });
  assert.deepEqual((await earn.read.product([1n])).terms, newTerms);
  await world.chain.moveTo(START + 59);
  await earn.simulate.updateProduct([1n, termsWith()], by("operator"));
  await world.chain.moveTo(START + 60);
  const late = earn.simulate.updateProduct([1n, termsWith()], by("operator"));
  await refuses(late, "SubscriptionStarted", [1n, BigInt(START + 60)]);
});

test("a product that is not there is refused by everything that names one", async () => {
  await refuses(earn.read.product([1n]), "UnknownProduct", [1n]);
  await refuses(earn.read.interestOf([wallets.alice.address, 1n]), "UnknownProduct");
  await refuses(earn.simulate.updateProduct([1n, termsWith()], by("operator")), "UnknownProduct");
  await refuses(earn.simulate.cancel([1n], by("operator")), "UnknownProduct");
  await refuses(earn.simulate.subscribe([1n, 1n, 1n, "0x"], by("alice")), "UnknownProduct");
  await refuses(earn.simulate.fund([1n, 1n], by("alice")), "UnknownProduct");
  await refuses(earn.simulate.settle([1n], by("alice")), "UnknownProduct");
  await refuses(earn.simulate.claim([1n], by("alice")), "UnknownProduct");
  await refuses(earn.simulate.emergencyClaim([1n], by("alice")), "UnknownProduct");
  await refuses(earn.simulate.withdrawExcess([1n, wallets.carol.address], by("operator")), "UnknownProduct");
});

test("anyone funds a product, and the event has the old and the new funding", async () => {
  const productId = await openProduct(world);
  await mined(earn.write.fund([productId, 40n], by("bob")));
  const receipt = await mined(earn.write.fund([productId, 2n], by("carol")));
  assert.deepEqual(onlyEvent(receipt, earnAbi, "ProductFunded"), {
    productId,
    funder: wallets.carol.address,
    amount: 2n,
    oldFunded: 40n,
    newFunded: 42n,
  });
  assert.equal((await earn.read.product([productId])).funded, 42n);
  assert.equal(await earn.read.totalFunded(), 42n);
  assert.equal(await world.tokensOf(earn.address), 42n);
});

test("funding needs an amount, an allowance and a product that is open", async () => {
  const productId = await openProduct(world);
  await refuses(earn.simulate.fund([productId, 0n], by("bob")), "ZeroAmount");
  await refuses(earn.simulate.fund([productId, 1n], by("pauser")), "ERC20InsufficientAllowance");
  await mined(earn.write.cancel([productId], by("operator")));
  const late = earn.simulate.fund([productId, 1n], by("bob"));
  await refuses(late, "WrongStatus", [productId, CANCELLED, OPEN]);
});

test("ERN-1: a product is settled at its settle time, by anyone, when its own funding covers its interest", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, 1_000n * ONE_USDT);
  await mined(earn.write.fund([productId, INTEREST], by("bob")));
  await world.chain.moveTo(SETTLE_TIME - 1);
  await refuses(earn.simulate.settle([productId], by("bob")), "NotMatured", [productId, BigInt(SETTLE_TIME)]);
  await world.chain.moveTo(SETTLE_TIME);
  const receipt = await mined(earn.write.settle([productId], by("bob")));
  assert.deepEqual(onlyEvent(receipt, earnAbi, "ProductSettled"), {
    productId,
    principal: 1_000n * ONE_USDT,
    interest: INTEREST,
    funded: INTEREST,
  });
  assert.equal((await earn.read.product([productId])).status, SETTLED);
  await refuses(earn.simulate.settle([productId], by("bob")), "WrongStatus", [productId, SETTLED, OPEN]);
  await refuses(earn.simulate.cancel([productId], by("operator")), "WrongStatus", [productId, SETTLED, OPEN]);
});

test("ERN-1: another product's funding does not count, nor does its principal", async () => {
  const poor = await openProduct(world);
  const rich = await openProduct(world);
  await subscribe(world, "alice", poor, 1_000n * ONE_USDT);
  await subscribe(world, "bob", rich, 5_000n * ONE_USDT);
  await mined(earn.write.fund([rich, 500n * ONE_USDT], by("carol")));
  await mined(earn.write.fund([poor, INTEREST - 1n], by("carol")));
  await world.chain.moveTo(SETTLE_TIME);
  await refuses(earn.simulate.settle([poor], by("bob")), "Underfunded", [poor, INTEREST - 1n, INTEREST]);
  await mined(earn.write.fund([poor, 1n], by("carol")));
  await mined(earn.write.settle([poor], by("bob")));
});

test("ERN-1: a product without subscriptions cannot be settled, only cancelled", async () => {
  const productId = await openProduct(world);
  await world.chain.moveTo(SETTLE_TIME);
  await refuses(earn.simulate.settle([productId], by("operator")), "NothingSubscribed", [productId]);
  await mined(earn.write.cancel([productId], by("operator")));
});

for (const [when, second] of [
  ["before its subscription", START - 1],
  ["in its subscription", START],
  ["in its time", END],
  ["after its settle time", SETTLE_TIME + DAY_SECONDS],
] as const) {
  test(`ERN-1: the operator cancels a product ${when}`, async () => {
    await mined(earn.write.createProduct([termsWith()], by("operator")));
    await mined(earn.write.fund([1n, 7n], by("bob")));
    await world.chain.moveTo(second);
    const receipt = await mined(earn.write.cancel([1n], by("operator")));
    const event = onlyEvent(receipt, earnAbi, "ProductCancelled");
    assert.deepEqual(event, { productId: 1n, principal: 0n, funded: 7n });
    assert.equal((await earn.read.product([1n])).status, CANCELLED);
    await refuses(earn.simulate.cancel([1n], by("operator")), "WrongStatus", [1n, CANCELLED, OPEN]);
    await refuses(earn.simulate.updateProduct([1n, termsWith()], by("operator")), "WrongStatus");
    await refuses(earn.simulate.settle([1n], by("operator")), "WrongStatus", [1n, CANCELLED, OPEN]);
  });
}

test("what a settled product has beyond the interest it owes goes back to the operator, before and after claims", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, 1_000n * ONE_USDT);
  await mined(earn.write.fund([productId, 100n], by("bob")));
  await settleFully(world, productId);
  const to = wallets.pauser.address;
  const receipt = await mined(earn.write.withdrawExcess([productId, to], by("operator")));
  assert.deepEqual(onlyEvent(receipt, earnAbi, "ExcessWithdrawn"), {
    productId,
    to,
    amount: 100n,
    oldFunded: INTEREST + 100n,
    newFunded: INTEREST,
  });
  assert.equal(await world.tokensOf(to), 100n);
  assert.equal(await earn.read.totalFunded(), INTEREST);
  await refuses(earn.simulate.withdrawExcess([productId, to], by("operator")), "NothingToWithdraw", [productId]);
  await mined(earn.write.claim([productId], by("alice")));
  await refuses(earn.simulate.withdrawExcess([productId, to], by("operator")), "NothingToWithdraw", [productId]);
  assert.equal(await world.tokensOf(earn.address), 0n);
});

test("all the funding of a cancelled product is returned, and none of its principal", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, 1_000n * ONE_USDT);
  const interest = await fundFully(world, productId);
  const to = wallets.pauser.address;
  const early = earn.simulate.withdrawExcess([productId, to], by("operator"));
  await refuses(early, "WrongStatus", [productId, OPEN, SETTLED]);
  await mined(earn.write.cancel([productId], by("operator")));
  await mined(earn.write.withdrawExcess([productId, to], by("operator")));
  assert.equal(await world.tokensOf(to), interest);
  assert.equal(await world.tokensOf(earn.address), 1_000n * ONE_USDT);
  await refuses(earn.simulate.withdrawExcess([productId, to], by("operator")), "NothingToWithdraw", [productId]);
});

test("excess is sent neither to the zero address nor to the contract itself", async () => {
  const productId = await openProduct(world);
  for (const to of [zeroAddress, earn.address]) {
    await refuses(earn.simulate.withdrawExcess([productId, to], by("operator")), "InvalidRecipient", [to]);
  }
});
