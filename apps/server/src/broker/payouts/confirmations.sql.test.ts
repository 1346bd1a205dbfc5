import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Hex, PrivateKeyAccount } from "viem";
import { clientOf } from "../../chain/testing/chains.ts";
import { dayOf } from "../../kernel/dates.ts";
import { ApiError } from "../../kernel/errors.ts";
import { PayoutConfirmations } from "./confirmations.ts";
import { PayoutPayments } from "./payments.ts";
import { createPaymentBench, type PaymentBench } from "./testing/payment-bench.ts";
import { ADMIN, payeeAddress, usdt } from "./testing/payout-books.ts";

const refused = (code: string) => (error: unknown) =>
  error instanceof ApiError && error.status === 409 && error.code === code;

describe("confirming payments from outside", () => {
  let bench: PaymentBench;
  let payer: PrivateKeyAccount;
  let confirmations: PayoutConfirmations;
  let days = 0;

  before(async () => {
    bench = await createPaymentBench();
    await bench.earnFees();
    payer = await bench.scene.user(70);
    await bench.scene.mint(payer.address, usdt(1_000));
    confirmations = new PayoutConfirmations({ ...bench.options(), contracts: bench.scene.contracts });
  });
  after(() => bench.close());

  /** A batch of one payee that is owed 5. */
  async function batchOf(payee: string) {
    days += 1;
    const period = await bench.books.day(dayOf(Date.UTC(2025, 0, days)));
    const kol = await bench.brokers.kol({ rate: 0.4 });
    const record = await bench.books.record({
      period,
      of: kol,
      downline: { account: days, wallet: payee },
      customer: 5,
    });
    const { id } = await bench.batches.create({ period }, ADMIN);
    return { id, period, record };
  }
  const nothing = async (action: () => Promise<unknown>, code: string) => {
    const before = await bench.books.fingerprint();
    await assert.rejects(action, refused(code));
    assert.equal(await bench.books.fingerprint(), before, `${code} changes nothing`);
  };

  it("BRK-14: a transfer that covers the payee pays the batch, once and for ever", async () => {
    const { id, period, record } = await batchOf(payeeAddress(1));
    const hash = await bench.transfer(payer, payeeAddress(1), usdt(6));
    const fees = bench.feeAccount();
    await confirmations.confirm(id, hash, ADMIN);
    const batch = await bench.batches.detail(id, {});
    assert.deepEqual([batch.status, batch.way], ["paid", "outside"]);
    assert.deepEqual(batch.transactions, [{ tx_hash: hash, kind: "outside", payees: 1 }]);
    assert.equal(batch.items[0]?.tx_hash, hash);
    const { payment_status, payment_tx_hash } = await bench.books.statusOf(record);
    assert.deepEqual([payment_status, payment_tx_hash], ["paid", hash]);
    assert.deepEqual(await bench.books.countsOf(period), { record_count: 1, paid_count: 1 });
    assert.equal(bench.feeAccount(), fees);
    const after = await bench.books.fingerprint();
    await confirmations.confirm(id, hash, ADMIN);
    await new PayoutPayments(bench.options()).pay(id, ADMIN);
    assert.equal(await bench.books.fingerprint(), after, "asked again, by either way, nothing happens");
    assert.equal(await bench.credited(payeeAddress(1)), 0n);
    await nothing(() => confirmations.confirm(id, `0x${"02".repeat(32)}`, ADMIN), "INVALID_STATE");
    const other = await batchOf(payeeAddress(1));
    await nothing(() => confirmations.confirm(other.id, hash, ADMIN), "PAYMENT_ALREADY_USED");
    const entry = await bench.database.db
      .selectFrom("audit_log")
      .selectAll()
      .where("target", "=", id)
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [entry.action, entry.before, entry.after],
      ["rebate.payout.confirm", { status: "open" }, { status: "paid", payment_tx_hash: hash }],
    );
  });

  it("BRK-14: one transaction confirms one of two batches, also at the same moment", async () => {
    const payee = payeeAddress(2);
    const [one, other] = [await batchOf(payee), await batchOf(payee)];
    const hash = await bench.transfer(payer, payee, usdt(50));
    const results = await Promise.allSettled([
      confirmations.confirm(one.id, hash, ADMIN),
      confirmations.confirm(other.id, hash, ADMIN),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    for (const result of results) {
      if (result.status === "rejected")
        assert.ok(refused("PAYMENT_ALREADY_USED")(result.reason), String(result.reason));
    }
  });

  it("BRK-14: too little, another payee, an unknown or an empty transaction pay nothing", async () => {
    const { id } = await batchOf(payeeAddress(3));
    const little = await bench.transfer(payer, payeeAddress(3), usdt(5) - 1n);
    await nothing(() => confirmations.confirm(id, little, ADMIN), "PAYMENT_NOT_COVERED");
    const elsewhere = await bench.transfer(payer, payeeAddress(4), usdt(5));
    await nothing(() => confirmations.confirm(id, elsewhere, ADMIN), "PAYMENT_NOT_COVERED");
    const gas = await bench.scene.giveGas(payer.address);
    await nothing(() => confirmations.confirm(id, gas, ADMIN), "PAYMENT_NOT_COVERED");
    await nothing(() => confirmations.confirm(id, `0x${"03".repeat(32)}`, ADMIN), "PAYMENT_NOT_FOUND");
  });

  it("RUN-3: a transaction counts once enough blocks have followed", async () => {
    const { id } = await batchOf(payeeAddress(5));
    const hash = await bench.transfer(payer, payeeAddress(5), usdt(5));
    const client = clientOf(bench.scene.chain, 2);
    const careful = new PayoutConfirmations({ ...bench.options(), client, contracts: bench.scene.contracts });
    await nothing(() => careful.confirm(id, hash, ADMIN), "PAYMENT_NOT_CONFIRMED");
    for (let mined = 0; mined < 2; mined += 1) await bench.scene.chain.mine();
    await careful.confirm(id, hash, ADMIN);
    assert.equal((await bench.batches.read(id)).status, "paid");
  });

  it("BRK-14: a payment through the platform's own contract is no payment from outside", async () => {
    const user = await bench.scene.user(71);
    const payee = user.address.toLowerCase();
    const paid = await batchOf(payee);
    await new PayoutPayments(bench.options()).pay(paid.id, ADMIN);
    const claim: Hex = await bench.scene.claim(user);
    assert.equal(await bench.scene.tokensOf(user.address), usdt(5));
    const { id } = await batchOf(payee);
    await nothing(() => confirmations.confirm(id, claim, ADMIN), "PAYMENT_NOT_COVERED");
  });

  it("BRK-14: a cancelled batch cannot be confirmed", async () => {
    const { id } = await batchOf(payeeAddress(6));
    const hash = await bench.transfer(payer, payeeAddress(6), usdt(5));
    await bench.batches.cancel(id, ADMIN);
    await nothing(() => confirmations.confirm(id, hash, ADMIN), "INVALID_STATE");
  });
});
