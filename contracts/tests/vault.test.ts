import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { type Hex, stringToHex, zeroAddress, zeroHash } from "viem";
import { contributionPurposes, vaultAbi, vaultBytecode } from "../src/index.ts";
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
  await deposit(1_000n);
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
  await deposit(1_000n);
  await withdrawNow(1, 300n);
  await mined(vault.write.setOutflowLimit([100n], by("admin")));
  await refuses(withdraw(2, 1n), "OutflowLimitExceeded", [1n, 0n]);
  const receipt = await mined(vault.write.setOutflowLimit([0n], by("admin")));
  assert.deepEqual(onlyEvent(receipt, vaultAbi, "OutflowLimitChanged"), { oldLimit: 100n, newLimit: 0n });
  await withdrawNow(2, 700n);
});

test("a refused payment uses up neither its id nor the limit", async () => {
  await deposit(1_000n);
  await mined(vault.write.setOutflowLimit([100n], by("admin")));
  await refuses(withdraw(1, 101n), "OutflowLimitExceeded");
  assert.deepEqual(await vault.read.outflow(), [0n, 100n]);
  await withdrawNow(1, 100n);
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
