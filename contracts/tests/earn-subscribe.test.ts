import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { type Hex, hashTypedData, recoverTypedDataAddress } from "viem";
import { earnAbi, earnDomain, roles, subscribeTypedData } from "../src/index.ts";
import { CHAIN_ID } from "./support/chain.ts";
import { END, openProduct, START, subscribe, subscriptionArgs, termsWith } from "./support/earn-scenes.ts";
import { onlyEvent, refuses } from "./support/outcomes.ts";
import { FIRST_TOKENS, ONE_USDT, startWorld, wallets } from "./support/world.ts";

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());
const { earn, mined, by } = world;
const ALICE = wallets.alice.address;
const AMOUNT = 1_000n * ONE_USDT;

test("ERN-5: the contract's domain is the one vouchers are signed for", async () => {
  const [, name, version, chainId, verifyingContract] = await earn.read.eip712Domain();
  const domain = earnDomain(CHAIN_ID, earn.address);
  assert.deepEqual({ name, version, chainId: Number(chainId), verifyingContract }, domain);
  const voucher = { user: ALICE, productId: 1n, amount: AMOUNT, deadline: 99n };
  const typedData = subscribeTypedData(domain, voucher);
  assert.equal(await earn.read.subscribeDigest([ALICE, 1n, AMOUNT, 99n]), hashTypedData(typedData));
  const signature = await world.voucher(voucher);
  assert.equal(await recoverTypedDataAddress({ ...typedData, signature }), wallets.signer.address);
  assert.match(await earn.read.DOMAIN_SEPARATOR(), /^0x[0-9a-f]{64}$/);
});

test("ERN-8: a subscription takes the tokens, opens a position and mints a receipt", async () => {
  const productId = await openProduct(world);
  const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  const receipt = await mined(earn.write.subscribe(args, by("alice")));
  const digest = await earn.read.subscribeDigest([ALICE, productId, AMOUNT, args[2]]);
  assert.deepEqual(onlyEvent(receipt, earnAbi, "Subscribed"), {
    user: ALICE,
    productId,
    amount: AMOUNT,
    tokenId: 1n,
    digest,
  });
  assert.equal(await earn.read.isDigestUsed([digest]), true);
  assert.deepEqual(await earn.read.position([ALICE, productId]), { principal: AMOUNT, tokenId: 1n });
  assert.equal(await earn.read.ownerOf([1n]), ALICE);
  assert.equal(await world.tokensOf(earn.address), AMOUNT);
  assert.equal(await world.tokensOf(ALICE), FIRST_TOKENS - AMOUNT);
  const { subscribed, principal, interestOwed, subscriberCount } = await earn.read.product([productId]);
  assert.deepEqual([subscribed, principal, interestOwed, subscriberCount], [AMOUNT, AMOUNT, 9_863_013n, 1]);
  assert.equal(await earn.read.totalPrincipal(), AMOUNT);
});

test("ERN-7: a second subscription tops up the position and its receipt", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, AMOUNT);
  const receipt = await subscribe(world, "alice", productId, AMOUNT + 1n);
  assert.equal(onlyEvent(receipt, earnAbi, "Subscribed").tokenId, 1n);
  assert.deepEqual(await earn.read.position([ALICE, productId]), { principal: 2n * AMOUNT + 1n, tokenId: 1n });
  assert.equal(await earn.read.balanceOf([ALICE]), 1n);
  assert.equal((await earn.read.product([productId])).subscriberCount, 1);
});

test("ERN-2: interest is rounded down once per position, however it was built up", async () => {
  const terms = { minAmount: 1n, annualRateBps: 333, durationSeconds: 86_399 };
  const productId = await openProduct(world, terms);
  const amounts = { alice: [6_000n, 6_000n, 98_765n], bob: [777_777n], carol: [5_480n, 5_481n, 1n] } as const;
  const interestOf = (principal: bigint) => (principal * 333n * 86_399n) / (10_000n * 31_536_000n);
  let owed = 0n;
  for (const name of ["alice", "bob", "carol"] as const) {
    for (const amount of amounts[name]) await subscribe(world, name, productId, amount);
    const principal = amounts[name].reduce((sum, amount) => sum + amount, 0n);
    assert.equal(await earn.read.interestOf([wallets[name].address, productId]), interestOf(principal));
    owed += interestOf(principal);
  }
  assert.equal((await earn.read.product([productId])).interestOwed, owed);
  // Rounded down per subscription it would have been 0 + 0 + 9, 70 and 0.
  assert.equal(owed, 10n + 70n + 1n);
});

test("ERN-2: 1,000 USDT at 1200 bps for 30 days earn 9863013 units", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, AMOUNT);
  assert.equal(await earn.read.interestOf([ALICE, productId]), 9_863_013n);
});

test("the subscription is open from its start up to, but not at, its end", async () => {
  await mined(earn.write.createProduct([termsWith()], by("operator")));
  const attempt = async () =>
    earn.simulate.subscribe(await subscriptionArgs(world, "alice", 1n, { amount: AMOUNT }), by("alice"));
  await world.chain.moveTo(START - 1);
  await refuses(attempt(), "SubscriptionClosed", [1n]);
  await world.chain.moveTo(START);
  await attempt();
  await world.chain.moveTo(END - 1);
  await attempt();
  await world.chain.moveTo(END);
  await refuses(attempt(), "SubscriptionClosed", [1n]);
});

test("a cancelled product cannot be subscribed to", async () => {
  const productId = await openProduct(world);
  await mined(earn.write.cancel([productId], by("operator")));
  const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  await refuses(earn.simulate.subscribe(args, by("alice")), "SubscriptionClosed", [productId]);
});

test("each subscription is at least the minimum, a top-up as well", async () => {
  const productId = await openProduct(world);
  const minimum = 100n * ONE_USDT;
  const attempt = async (amount: bigint) =>
    earn.simulate.subscribe(await subscriptionArgs(world, "alice", productId, { amount }), by("alice"));
  await refuses(attempt(minimum - 1n), "AmountTooLow", [minimum - 1n, minimum]);
  await subscribe(world, "alice", productId, minimum);
  await refuses(attempt(minimum - 1n), "AmountTooLow", [minimum - 1n, minimum]);
  await attempt(minimum);
});

test("a position is at most the user's maximum, to the unit", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, AMOUNT);
  const room = 4_000n * ONE_USDT;
  const args = await subscriptionArgs(world, "alice", productId, { amount: room + 1n });
  await refuses(earn.simulate.subscribe(args, by("alice")), "AmountTooHigh", [room + 1n, room]);
  await subscribe(world, "alice", productId, room);
  assert.equal((await earn.read.position([ALICE, productId])).principal, 5_000n * ONE_USDT);
  const huge = await subscriptionArgs(world, "bob", productId, { amount: 2n ** 128n + AMOUNT });
  await refuses(earn.simulate.subscribe(huge, by("bob")), "AmountTooHigh");
});

test("the quota is sold to the unit, and not one beyond", async () => {
  const productId = await openProduct(world);
  await subscribe(world, "alice", productId, 5_000n * ONE_USDT);
  await subscribe(world, "bob", productId, 4_000n * ONE_USDT);
  const args = await subscriptionArgs(world, "carol", productId, { amount: AMOUNT + 1n });
  await refuses(earn.simulate.subscribe(args, by("carol")), "QuotaExceeded", [AMOUNT + 1n, AMOUNT]);
  await subscribe(world, "carol", productId, AMOUNT);
  assert.equal((await earn.read.product([productId])).subscribed, 10_000n * ONE_USDT);
});

test("ERN-6: a voucher is good up to and including its deadline", async () => {
  const productId = await openProduct(world);
  const deadline = BigInt(START + 60);
  const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT, deadline });
  await world.chain.moveTo(START + 61);
  await refuses(earn.simulate.subscribe(args, by("alice")), "VoucherExpired", [deadline]);
  await world.reset();
  await openProduct(world);
  await world.chain.moveTo(START + 60);
  await mined(earn.write.subscribe(args, by("alice")));
});

test("T4, ERN-6: a voucher is used once", async () => {
  const productId = await openProduct(world);
  const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  await mined(earn.write.subscribe(args, by("alice")));
  const digest = await earn.read.subscribeDigest([ALICE, productId, AMOUNT, args[2]]);
  await refuses(earn.simulate.subscribe(args, by("alice")), "VoucherUsed", [digest]);
});

test("ERN-6: a voucher is of no use to another user, nor for another amount, product or deadline", async () => {
  const productId = await openProduct(world);
  const other = await openProduct(world);
  const [, amount, deadline, signature] = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  const asBob = earn.simulate.subscribe([productId, amount, deadline, signature], by("bob"));
  await refuses(asBob, "InvalidVoucherSigner");
  for (const args of [
    [productId, amount + 1n, deadline, signature],
    [other, amount, deadline, signature],
    [productId, amount, deadline + 1n, signature],
  ] as const) {
    await refuses(earn.simulate.subscribe(args, by("alice")), "InvalidVoucherSigner");
  }
  await earn.simulate.subscribe([productId, amount, deadline, signature], by("alice"));
});

test("ERN-6: only the voucher of a signer counts, as long as it is one", async () => {
  const productId = await openProduct(world);
  for (const signer of ["alice", "operator", "admin"] as const) {
    const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT, signer });
    const attempt = earn.simulate.subscribe(args, by("alice"));
    await refuses(attempt, "InvalidVoucherSigner", [wallets[signer].address]);
  }
  const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  await mined(earn.write.revokeRole([roles.signer, wallets.signer.address], by("admin")));
  const attempt = earn.simulate.subscribe(args, by("alice"));
  await refuses(attempt, "InvalidVoucherSigner", [wallets.signer.address]);
});

test("ERN-6: an invalid signature is refused, even if the zero address were a signer by mistake", async () => {
  const productId = await openProduct(world);
  const [, amount, deadline, signature] = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  await mined(earn.write.grantRole([roles.signer, "0x0000000000000000000000000000000000000000"], by("admin")));
  const malformed: readonly Hex[] = ["0x", signature.slice(0, -2) as Hex, `${signature.slice(0, -2)}05` as Hex];
  for (const each of malformed) {
    await refuses(earn.simulate.subscribe([productId, amount, deadline, each], by("alice")), "InvalidVoucherSigner");
  }
});

test("without the allowance, or the tokens, nothing is subscribed and the voucher stays good", async () => {
  const productId = await openProduct(world);
  const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  await mined(world.usdt.write.approve([earn.address, AMOUNT - 1n], by("alice")));
  await refuses(earn.simulate.subscribe(args, by("alice")), "ERC20InsufficientAllowance");
  await mined(world.usdt.write.approve([earn.address, AMOUNT], by("alice")));
  await mined(world.usdt.write.transfer([wallets.bob.address, FIRST_TOKENS - AMOUNT + 1n], by("alice")));
  await refuses(earn.simulate.subscribe(args, by("alice")), "ERC20InsufficientBalance");
  await mined(world.usdt.write.transfer([ALICE, 1n], by("bob")));
  await mined(earn.write.subscribe(args, by("alice")));
  assert.equal(await world.tokensOf(ALICE), 0n);
});

test("a pause stops subscriptions until it ends", async () => {
  const productId = await openProduct(world);
  const args = await subscriptionArgs(world, "alice", productId, { amount: AMOUNT });
  await mined(earn.write.pause(by("pauser")));
  assert.equal(await earn.read.paused(), true);
  await refuses(earn.simulate.subscribe(args, by("alice")), "EnforcedPause");
  await refuses(earn.simulate.pause(by("pauser")), "EnforcedPause");
  await mined(earn.write.unpause(by("pauser")));
  await refuses(earn.simulate.unpause(by("pauser")), "ExpectedPause");
  await mined(earn.write.subscribe(args, by("alice")));
});
