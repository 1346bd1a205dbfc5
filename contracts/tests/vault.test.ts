import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { type Hex, stringToHex, zeroAddress, zeroHash } from "viem";
import { contributionPurposes, vaultAbi, vaultBytecode } from "../src/index.ts";
import { Random } from "./model/random.ts";
import { FIRST_SECOND } from "./support/chain.ts";
import { onlyEvent, refuses } from "./support/outcomes.ts";
import { DAY_SECONDS, FIRST_TOKENS, startWorld, wallets } from "./support/world.ts";

const world = await startWorld();
beforeEach(() => world.reset());
after(() => world.close());
const { vault, mined, by } = world;
const ALICE = wallets.alice.address;
const BOB = wallets.bob.address;

const idOf = (number: number): Hex => stringToHex(`id ${number}`, { size: 32 });
const deposit = (amount: bigint) => mined(vault.write.deposit([amount], by("alice")));
/** Money that is no deposit does not count against the limit. */
const contribute = (amount: bigint) =>
  mined(vault.write.contribute([contributionPurposes.insurance, amount], by("alice")));
const limitTo = (amount: bigint) => mined(vault.write.setOutflowLimit([amount], by("admin")));
const withdraw = (number: number, amount: bigint) =>
  vault.simulate.withdraw([idOf(number), BOB, amount], by("operator"));
const withdrawNow = (number: number, amount: bigint) =>
  mined(vault.write.withdraw([idOf(number), BOB, amount], by("operator")));

test("VLT-1: a deposit is booked to its payer", async () => {
  await deposit(60n);
  const receipt = await deposit(40n);
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "Deposited"), {
    account: ALICE,
    payer: ALICE,
    amount: 40n,
    oldTotalDeposited: 60n,
    newTotalDeposited: 100n,
  });
  assert.equal(await world.tokensOf(vault.address), 100n);
  assert.equal(await world.tokensOf(ALICE), FIRST_TOKENS - 100n);
});

test("VLT-1: a deposit may be for another account than the payer's", async () => {
  const receipt = await mined(vault.write.depositFor([wallets.pauser.address, 40n], by("bob")));
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "Deposited"), {
    account: wallets.pauser.address,
    payer: BOB,
    amount: 40n,
    oldTotalDeposited: 0n,
    newTotalDeposited: 40n,
  });
});

test("a deposit needs an amount, an account and an allowance", async () => {
  await refuses(vault.simulate.deposit([0n], by("alice")), "ZeroAmount");
  await refuses(vault.simulate.depositFor([BOB, 0n], by("alice")), "ZeroAmount");
  await refuses(vault.simulate.depositFor([zeroAddress, 1n], by("alice")), "ZeroAddress");
  await refuses(vault.simulate.deposit([1n], by("pauser")), "ERC20InsufficientAllowance");
});

test("VLT-2: contributions are booked by their purpose, apart from deposits", async () => {
  const { insurance, bonus } = contributionPurposes;
  await mined(vault.write.contribute([insurance, 500n], by("operator")));
  await mined(vault.write.contribute([bonus, 30n], by("bob")));
  const receipt = await mined(vault.write.contribute([insurance, 5n], by("operator")));
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "Contributed"), {
    purpose: insurance,
    payer: wallets.operator.address,
    amount: 5n,
    oldContributedFor: 500n,
    newContributedFor: 505n,
  });
  assert.equal(await vault.read.contributedFor([insurance]), 505n);
  assert.equal(await vault.read.contributedFor([bonus]), 30n);
  const { deposited, contributed } = await vault.read.balanceSheet();
  assert.deepEqual([deposited, contributed], [0n, 535n]);
  await refuses(vault.simulate.contribute([bonus, 0n], by("bob")), "ZeroAmount");
});

test("VLT-1: the operator pays a withdrawal, once per id", async () => {
  await deposit(100n);
  const receipt = await withdrawNow(1, 30n);
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "Withdrawn"), {
    id: idOf(1),
    to: BOB,
    amount: 30n,
    oldTotalWithdrawn: 0n,
    newTotalWithdrawn: 30n,
  });
  assert.equal(await world.tokensOf(BOB), FIRST_TOKENS + 30n);
  assert.equal(await vault.read.isWithdrawalPaid([idOf(1)]), true);
  assert.equal(await vault.read.isWithdrawalPaid([idOf(2)]), false);
  await refuses(withdraw(1, 30n), "WithdrawalAlreadyPaid", [idOf(1)]);
  await refuses(withdraw(1, 1n), "WithdrawalAlreadyPaid", [idOf(1)]);
});

test("VLT-2: the operator pays fee income out, once per id, and its ids are its own", async () => {
  await deposit(100n);
  await withdrawNow(1, 30n);
  const receipt = await mined(vault.write.payout([idOf(1), BOB, 20n], by("operator")));
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "PaidOut"), {
    id: idOf(1),
    to: BOB,
    amount: 20n,
    oldTotalPaidOut: 0n,
    newTotalPaidOut: 20n,
  });
  assert.equal(await vault.read.isPayoutPaid([idOf(1)]), true);
  const again = vault.simulate.payout([idOf(1), BOB, 20n], by("operator"));
  await refuses(again, "PayoutAlreadyPaid", [idOf(1)]);
  await mined(vault.write.payout([idOf(2), BOB, 1n], by("operator")));
  await withdrawNow(2, 1n);
});

test("a payment needs an amount and a recipient outside", async () => {
  await deposit(100n);
  for (const to of [zeroAddress, vault.address]) {
    await refuses(vault.simulate.withdraw([idOf(1), to, 1n], by("operator")), "InvalidRecipient", [to]);
    await refuses(vault.simulate.payout([idOf(1), to, 1n], by("operator")), "InvalidRecipient", [to]);
  }
  await refuses(withdraw(1, 0n), "ZeroAmount");
  await refuses(vault.simulate.payout([idOf(1), BOB, 0n], by("operator")), "ZeroAmount");
});

test("no more is paid than was paid in, even when more tokens lie there", async () => {
  await deposit(100n);
  await mined(world.usdt.write.transfer([vault.address, 50n], by("bob")));
  await refuses(withdraw(1, 101n), "InsufficientFunds", [101n, 100n]);
  await refuses(vault.simulate.payout([idOf(1), BOB, 101n], by("operator")), "InsufficientFunds", [101n, 100n]);
  await withdrawNow(1, 100n);
  assert.equal(await world.tokensOf(vault.address), 50n);
});

test("the balance sheet lists what came in and went out, by kind", async () => {
  await deposit(100n);
  await mined(vault.write.contribute([zeroHash, 50n], by("bob")));
  await withdrawNow(1, 30n);
  await mined(vault.write.payout([idOf(1), BOB, 20n], by("operator")));
  await mined(world.usdt.write.transfer([vault.address, 3n], by("bob")));
  assert.deepEqual(await vault.read.balanceSheet(), {
    deposited: 100n,
    contributed: 50n,
    withdrawn: 30n,
    paidOut: 20n,
    booked: 100n,
    balance: 103n,
  });
});

test("without a limit anything may leave", async () => {
  await deposit(FIRST_TOKENS);
  assert.equal(await vault.read.outflowLimit(), 0n);
  await withdrawNow(1, FIRST_TOKENS);
});

test("within any 24 hours no more leaves than the limit, withdrawals and payouts together", async () => {
  await contribute(1_000n);
  const receipt = await mined(vault.write.setOutflowLimit([100n], by("admin")));
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "OutflowLimitChanged"), { oldLimit: 0n, newLimit: 100n });
  await withdrawNow(1, 60n);
  const halfDay = FIRST_SECOND + DAY_SECONDS / 2;
  await world.chain.moveTo(halfDay);
  await refuses(withdraw(2, 41n), "OutflowLimitExceeded", [41n, 40n]);
  await refuses(vault.simulate.payout([idOf(2), BOB, 41n], by("operator")), "OutflowLimitExceeded");
  await mined(vault.write.payout([idOf(2), BOB, 40n], by("operator")));
  assert.deepEqual(await vault.read.outflow(), [100n, 0n]);
  await refuses(withdraw(2, 1n), "OutflowLimitExceeded", [1n, 0n]);
  await world.chain.moveTo(FIRST_SECOND + DAY_SECONDS - 1);
  await refuses(withdraw(2, 1n), "OutflowLimitExceeded", [1n, 0n]);
  await world.chain.moveTo(FIRST_SECOND + DAY_SECONDS);
  await refuses(withdraw(2, 61n), "OutflowLimitExceeded", [61n, 60n]);
  await withdrawNow(2, 60n);
  await world.chain.moveTo(halfDay + DAY_SECONDS);
  assert.deepEqual(await vault.read.outflow(), [60n, 40n]);
});

test("a limit that is set later counts what has left before, and one that is lifted stops nothing", async () => {
  await contribute(1_000n);
  await withdrawNow(1, 300n);
  await mined(vault.write.setOutflowLimit([100n], by("admin")));
  await refuses(withdraw(2, 1n), "OutflowLimitExceeded", [1n, 0n]);
  const receipt = await mined(vault.write.setOutflowLimit([0n], by("admin")));
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "OutflowLimitChanged"), { oldLimit: 100n, newLimit: 0n });
  await withdrawNow(2, 700n);
});

test("a refused payment uses up neither its id nor the limit", async () => {
  await contribute(1_000n);
  await mined(vault.write.setOutflowLimit([100n], by("admin")));
  await refuses(withdraw(1, 101n), "OutflowLimitExceeded");
  assert.deepEqual(await vault.read.outflow(), [0n, 100n]);
  await withdrawNow(1, 100n);
});

test("VLT-5: deposits lower what is used of the limit", async () => {
  await contribute(1_000n);
  await limitTo(100n);
  await withdrawNow(1, 80n);
  await deposit(50n);
  assert.deepEqual(await vault.read.outflow(), [30n, 70n]);
  await refuses(withdraw(2, 71n), "OutflowLimitExceeded", [71n, 70n]);
  await mined(vault.write.depositFor([BOB, 30n], by("alice")));
  assert.deepEqual(await vault.read.outflow(), [0n, 100n]);
  await withdrawNow(2, 100n);
  await refuses(withdraw(3, 1n), "OutflowLimitExceeded", [1n, 0n]);
});

test("VLT-5: they lower it down to minus the limit, and no further", async () => {
  await contribute(1_000n);
  await limitTo(100n);
  await deposit(150n);
  await deposit(5_000n);
  assert.deepEqual(await vault.read.outflow(), [-100n, 200n]);
  await refuses(withdraw(1, 201n), "OutflowLimitExceeded", [201n, 200n]);
  await withdrawNow(1, 150n);
  await withdrawNow(2, 50n);
  await refuses(withdraw(3, 1n), "OutflowLimitExceeded", [1n, 0n]);
});

test("VLT-5: whoever deposits and withdraws the same again and again takes nobody's share of the limit", async () => {
  await contribute(1_000n);
  await limitTo(100n);
  await withdrawNow(0, 40n);
  for (let turn = 1; turn <= 20; turn += 1) {
    await deposit(90n);
    await withdrawNow(turn, 90n);
  }
  assert.deepEqual(await vault.read.outflow(), [40n, 60n]);
});

test("VLT-5: contributions of the platform are no deposits", async () => {
  await limitTo(100n);
  await contribute(1_000n);
  assert.deepEqual(await vault.read.outflow(), [0n, 100n]);
});

test("VLT-5: a deposit counts for 24 hours, to the second; what was paid against it counts for its own", async () => {
  await contribute(1_000n);
  await limitTo(100n);
  await deposit(100n);
  const deposited = FIRST_SECOND;
  await world.chain.moveTo(deposited + DAY_SECONDS - 1);
  assert.deepEqual(await vault.read.outflow(), [-100n, 200n]);
  await withdrawNow(1, 200n);
  await world.chain.moveTo(deposited + DAY_SECONDS);
  assert.deepEqual(await vault.read.outflow(), [200n, 0n]);
  await world.chain.moveTo(deposited + 2 * DAY_SECONDS - 1);
  assert.deepEqual(await vault.read.outflow(), [0n, 100n]);
});

test("VLT-5: when older payments leave the window, what was deposited meanwhile is worth the limit at most", async () => {
  await contribute(1_000n);
  await limitTo(100n);
  await withdrawNow(1, 100n);
  await world.chain.moveTo(FIRST_SECOND + DAY_SECONDS / 2);
  await deposit(200n);
  assert.deepEqual(await vault.read.outflow(), [-100n, 200n]);
  await world.chain.moveTo(FIRST_SECOND + DAY_SECONDS);
  assert.deepEqual(await vault.read.outflow(), [-100n, 200n]);
  await withdrawNow(2, 200n);
  await refuses(withdraw(3, 1n), "OutflowLimitExceeded", [1n, 0n]);
});

test("VLT-5: a limit that is set or lowered later bounds the deposits before it", async () => {
  await deposit(1_000n);
  assert.deepEqual((await vault.read.outflow())[0], -1_000n);
  await limitTo(300n);
  assert.deepEqual(await vault.read.outflow(), [-300n, 600n]);
  await limitTo(100n);
  assert.deepEqual(await vault.read.outflow(), [-100n, 200n]);
  await withdrawNow(1, 200n);
  await refuses(withdraw(2, 1n), "OutflowLimitExceeded", [1n, 0n]);
});

test("VLT-5: whatever the sequence, no 24 hours pay out more than the limit and their deposits", async () => {
  const limit = 1_000n;
  const random = new Random(5);
  await contribute(100_000n);
  await limitTo(limit);
  const moves: { second: number; paid: bigint; deposited: bigint }[] = [];
  let second = FIRST_SECOND;
  for (let step = 0; step < 120; step += 1) {
    second += random.below(DAY_SECONDS / 6);
    await world.chain.moveTo(second);
    const amount = BigInt(1 + random.below(1_500));
    if (random.isIn(45)) {
      await deposit(amount);
      moves.push({ second, paid: 0n, deposited: amount });
      continue;
    }
    const [, remaining] = await vault.read.outflow();
    assert.ok(remaining <= 2n * limit);
    // As much as can be had, as an operator's thief would.
    const paid = random.isIn(50) ? remaining : amount;
    if (paid === 0n || paid > remaining) continue;
    await withdrawNow(step, paid);
    moves.push({ second, paid, deposited: 0n });
    const day = moves.filter((move) => move.second > second - DAY_SECONDS);
    const excess = day.reduce((total, move) => total + move.paid - move.deposited, 0n);
    assert.ok(excess <= limit, `step ${step}: ${excess} more than was deposited`);
  }
});

test("payments and deposits are paused each on their own", async () => {
  await deposit(100n);
  const stopped = await mined(vault.write.setPaymentsPaused([true], by("pauser")));
  assert.deepEqual(onlyEvent(stopped, vaultAbi, "PaymentsPausedChanged"), { oldPaused: false, newPaused: true });
  assert.equal(await vault.read.arePaymentsPaused(), true);
  await refuses(withdraw(1, 1n), "PaymentsPaused");
  await refuses(vault.simulate.payout([idOf(1), BOB, 1n], by("operator")), "PaymentsPaused");
  await deposit(1n);
  await mined(vault.write.setPaymentsPaused([false], by("pauser")));
  const closed = await mined(vault.write.setDepositsPaused([true], by("pauser")));
  assert.deepEqual(onlyEvent(closed, vaultAbi, "DepositsPausedChanged"), { oldPaused: false, newPaused: true });
  assert.equal(await vault.read.areDepositsPaused(), true);
  await refuses(vault.simulate.deposit([1n], by("alice")), "DepositsPaused");
  await refuses(vault.simulate.depositFor([BOB, 1n], by("alice")), "DepositsPaused");
  await withdrawNow(1, 1n);
  await mined(vault.write.contribute([zeroHash, 1n], by("alice")));
  await mined(vault.write.setDepositsPaused([false], by("pauser")));
  await deposit(1n);
});

test("the contract needs a token and an admin", async () => {
  const deployment = world.chain.walletClient(wallets.alice).deployContract({
    abi: vaultAbi,
    bytecode: vaultBytecode,
    args: [world.usdt.address, zeroAddress],
  });
  await refuses(deployment, "ZeroAddress");
});
