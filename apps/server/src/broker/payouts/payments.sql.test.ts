import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAudit } from "@bourse/engine";
import { sql } from "kysely";
import type { Address, Hex } from "viem";
import { operatorDb } from "../../chain/operator/tables.ts";
import { dayOf } from "../../kernel/dates.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { PartState } from "../../referral/rebate-sync.ts";
import { brokerDb } from "../tables.ts";
import type { BookedBroker } from "../testing/books.ts";
import { PayoutConfirmations } from "./confirmations.ts";
import { PayoutPayments, type PayoutPaymentsOptions } from "./payments.ts";
import { payoutsCheck } from "./payouts-check.ts";
import { createPaymentBench, type PaymentBench } from "./testing/payment-bench.ts";
import { ADMIN, payeeAddress, usdt } from "./testing/payout-books.ts";

const refused = (code: string) => (error: unknown) =>
  error instanceof ApiError && error.code === code && error.status === 409;

describe("paying batches through the chain", () => {
  let bench: PaymentBench;
  let kol: BookedBroker;
  let days = 0;

  before(async () => {
    bench = await createPaymentBench();
    kol = await bench.brokers.kol({ rate: 0.4 });
    await bench.earnFees();
  });
  after(async () => {
    // INV-1: after all tests, no money was created or lost.
    assertAudit(bench.exchange.engine);
    await bench.close();
  });

  const payments = (change: Partial<PayoutPaymentsOptions> = {}) =>
    new PayoutPayments({ ...bench.options(), wait_ms: 10_000, ...change });
  const nextDay = () => {
    days += 1;
    return bench.books.day(dayOf(Date.UTC(2025, 0, days)));
  };
  const rowOf = (id: string) =>
    brokerDb(bench.database).selectFrom("payout_batch").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  /** One customer of the KOL; both are owed these amounts. Returns their batch. */
  async function owed(customer: number, net: number) {
    const downline = await bench.brokers.customer(kol, { ratio: 0.1 });
    const period = await nextDay();
    const record = await bench.books.record({ period, of: kol, downline, customer, net });
    const { id } = await bench.batches.create({ period }, ADMIN);
    return { id, period, record, downline };
  }

  /** The movements since the start, in micros: out of the fee account, out of the Vault, to the operator, to the payees. */
  async function ledger(payees: readonly string[]) {
    const { scene } = bench;
    const look = async () => ({
      fees: bench.feeAccount(),
      out: bench.paidOut(),
      vault: await bench.vaultTokens(),
      operator: await scene.tokensOf(scene.operatorAccount.address),
      credited: await Promise.all(payees.map(bench.credited)),
    });
    const before = await look();
    return async () => {
      const now = await look();
      return {
        fees: before.fees - now.fees,
        out: now.out - before.out,
        vault: before.vault - now.vault,
        operator: now.operator - before.operator,
        credited: now.credited.map((amount, place) => amount - (before.credited[place] ?? 0n)),
      };
    };
  }

  it("BRK-14, REF-3: the fee account gives the total, and every payee can claim its part", async () => {
    const user = await bench.scene.user(50);
    const downline = { account: 777, wallet: user.address.toLowerCase() };
    const period = await nextDay();
    const record = await bench.books.record({ period, of: kol, downline, customer: 10, net: 30 });
    const { id } = await bench.batches.create({ period }, ADMIN);
    const moved = await ledger([downline.wallet, kol.wallet]);
    await payments().pay(id, ADMIN);
    const total = usdt(40);
    assert.deepEqual(await moved(), {
      fees: total,
      out: total,
      vault: total,
      operator: 0n,
      credited: [usdt(10), usdt(30)],
    });
    const batch = await bench.batches.detail(id, {});
    assert.deepEqual([batch.status, batch.way, batch.hold_up], ["paid", "chain", null]);
    assert.equal(batch.paid_at, new Date(bench.scene.clock.now()).toISOString());
    const [funding, sync] = batch.transactions;
    assert.equal(batch.transactions.length, 2);
    assert.equal(funding?.kind, "vault_payout");
    assert.deepEqual([sync?.kind, sync?.part, sync?.payees], ["sync", 1, 2]);
    for (const { tx_hash } of batch.transactions) {
      const hash = tx_hash as Hex;
      assert.equal((await bench.scene.client.public.getTransactionReceipt({ hash })).status, "success");
    }
    assert.deepEqual(
      batch.items.map(({ tx_hash }) => tx_hash),
      [sync?.tx_hash, sync?.tx_hash],
    );
    const { payment_status, payment_tx_hash } = await bench.books.statusOf(record);
    assert.deepEqual([payment_status, payment_tx_hash], ["paid", sync?.tx_hash]);
    assert.deepEqual(await bench.books.countsOf(period), { record_count: 1, paid_count: 1 });
    await bench.scene.claim(user);
    assert.equal(await bench.scene.tokensOf(user.address), usdt(10));
    const actions = await bench.database.db.selectFrom("audit_log").select("action").where("target", "=", id).execute();
    assert.deepEqual(
      actions.map(({ action }) => action),
      ["rebate.payout.create", "rebate.payout.pay"],
    );
  });

  it("BRK-14: more than 200 payees go out in parts", async () => {
    const period = await nextDay();
    const payees = await bench.books.customers(period, kol, 401, 10_000n);
    const { id, payee_count } = await bench.batches.create({ period }, ADMIN);
    assert.equal(payee_count, 401);
    const moved = await ledger(payees);
    await payments({ wait_ms: 60_000 }).pay(id, ADMIN);
    const { transactions, status } = await bench.batches.read(id);
    assert.equal(status, "paid");
    assert.deepEqual(
      transactions.slice(1).map(({ kind, part, payees: count }) => [kind, part, count]),
      [
        ["sync", 1, 200],
        ["sync", 2, 200],
        ["sync", 3, 1],
      ],
    );
    assert.equal(new Set(transactions.map(({ tx_hash }) => tx_hash)).size, 4);
    const { fees, operator, credited } = await moved();
    assert.deepEqual([fees, operator], [4_010_000n, 0n]);
    assert.ok(credited.every((amount) => amount === 10_000n));
    assert.deepEqual(await bench.books.countsOf(period), { record_count: 401, paid_count: 401 });
  });

  it("BRK-14: asked again, and by several at once, it pays once", async () => {
    const { id, downline } = await owed(1, 2);
    const moved = await ledger([downline.wallet]);
    const [one, other] = [payments(), payments()];
    await Promise.all([one.pay(id, ADMIN), one.pay(id, ADMIN), other.pay(id, ADMIN)]);
    await one.pay(id, ADMIN);
    await one.run();
    assert.equal((await rowOf(id)).status, "paid");
    const after = await moved();
    assert.deepEqual([after.fees, after.vault, after.credited], [usdt(3), usdt(3), [usdt(1)]]);
    assert.equal((await rowOf(id)).attempt, 1);
  });

  it("BRK-14: too little in the fee account is 409, the batch is open again, and is paid once there is enough", async () => {
    const have = bench.feeAccount();
    const { id, downline } = await owed(Number(have) / 1e6, 50);
    const moved = await ledger([downline.wallet]);
    await assert.rejects(payments().pay(id, ADMIN), (error: unknown) => {
      assert.ok(error instanceof ApiError && error.status === 409);
      assert.equal(error.code, "FEE_ACCOUNT_TOO_SMALL");
      assert.equal(error.details?.rule, "fee_account");
      assert.equal(Number(error.details?.actual) - Number(error.details?.limit), 50);
      return true;
    });
    const open = await rowOf(id);
    assert.deepEqual([open.status, open.way, open.is_taken, open.attempt], ["open", null, false, 1]);
    assert.match(open.hold_up ?? "", /^fee account too small: it holds \d+\.\d+, the batch comes to \d+\.\d+$/);
    assert.equal((await moved()).fees, 0n);
    assert.match(await payoutsCheck(bench.database).run(), /0 on their way/);
    await bench.earnFees();
    const before = await ledger([downline.wallet]);
    await payments().pay(id, ADMIN);
    const paid = await rowOf(id);
    assert.deepEqual([paid.status, paid.attempt, paid.hold_up], ["paid", 2, null]);
    assert.equal((await before()).fees, have + usdt(50));
    await bench.earnFees();
  });

  it("BRK-14: while the Vault does not pay it waits, can be neither confirmed nor cancelled, and goes on by itself", async () => {
    const { id, downline, record } = await owed(1, 2);
    const moved = await ledger([downline.wallet]);
    await bench.pauseVault(true);
    await payments().pay(id, ADMIN);
    const held = await rowOf(id);
    assert.deepEqual([held.status, held.is_taken, held.hold_up], ["paying", true, "PaymentsPaused"]);
    await assert.rejects(payoutsCheck(bench.database).run(), /1 payout batches cannot go on: PaymentsPaused/);
    await assert.rejects(bench.batches.cancel(id, ADMIN), refused("INVALID_STATE"));
    const confirmations = new PayoutConfirmations({ ...bench.options(), contracts: bench.scene.contracts });
    await assert.rejects(confirmations.confirm(id, `0x${"01".repeat(32)}`, ADMIN), refused("INVALID_STATE"));
    assert.deepEqual(await payments().run(), { paid: 0, paying: 1 });
    assert.equal((await bench.books.statusOf(record)).payment_status, "pending");
    await bench.pauseVault(false);
    assert.deepEqual(await payments().run(), { paid: 1, paying: 0 });
    const paid = await rowOf(id);
    assert.deepEqual([paid.status, paid.hold_up], ["paid", null]);
    const after = await moved();
    assert.deepEqual([after.fees, after.vault, after.operator, after.credited], [usdt(3), usdt(3), 0n, [usdt(1)]]);
  });

  it("REF-3: while the referral contract is paused the Vault has paid and the payees wait", async () => {
    const { id, downline } = await owed(1, 2);
    const moved = await ledger([downline.wallet]);
    await bench.scene.pause(true);
    await payments().pay(id, ADMIN);
    const held = await rowOf(id);
    assert.equal(held.status, "paying");
    assert.notEqual(held.vault_tx_hash, null);
    assert.notEqual(held.hold_up, null);
    assert.deepEqual((await moved()).operator, usdt(3));
    await bench.scene.pause(false);
    assert.deepEqual(await payments().run(), { paid: 1, paying: 0 });
    const after = await moved();
    assert.deepEqual([after.vault, after.operator, after.credited], [usdt(3), 0n, [usdt(1)]]);
  });

  it("REF-3: a name that was used for other lines holds the batch up", async () => {
    const { id } = await owed(1, 2);
    const options = bench.options();
    await options.rebates
      .send(`payout:${id}`, [{ address: payeeAddress(1), amount_micros: 1n }])
      .catch(() => undefined);
    await payments().pay(id, ADMIN);
    assert.match((await rowOf(id)).hold_up ?? "", /was sent with other lines before/);
    await sql`delete from referral_sync where batch_ref = ${`payout:${id}`}`.execute(bench.database.db);
    await sql`delete from chain_attempt where ref like ${`rebate:payout:${id}%`}`.execute(bench.database.db);
    await sql`delete from chain_transaction where ref like ${`rebate:payout:${id}%`}`.execute(bench.database.db);
    assert.deepEqual(await payments().run(), { paid: 1, paying: 0 });
  });

  it("BRK-14: what the Vault has paid by a transaction that nobody remembers is not paid again", async () => {
    const { id, downline } = await owed(1, 2);
    const moved = await ledger([downline.wallet]);
    await bench.scene.pause(true);
    await payments().pay(id, ADMIN);
    await bench.scene.pause(false);
    await operatorDb(bench.database).deleteFrom("chain_attempt").where("ref", "=", `payout:${id}`).execute();
    await operatorDb(bench.database).deleteFrom("chain_transaction").where("ref", "=", `payout:${id}`).execute();
    await brokerDb(bench.database)
      .updateTable("payout_batch")
      .set({ vault_tx_hash: null })
      .where("id", "=", id)
      .execute();
    assert.deepEqual(await payments().run(), { paid: 1, paying: 0 });
    const { transactions } = await bench.batches.read(id);
    assert.deepEqual(
      transactions.map(({ kind }) => kind),
      ["sync"],
    );
    const after = await moved();
    assert.deepEqual([after.vault, after.operator, after.credited], [usdt(3), 0n, [usdt(1)]]);
  });

  it("BRK-11: only what has its receipt turns paid; a part that is on its way does not", async () => {
    const { id, period, record, downline } = await owed(1, 2);
    const hash = (digit: string) => `0x${digit.repeat(64)}` as const;
    const part = (user: string, number: number, outcome: PartState) => ({
      number,
      batchId: hash("b"),
      users: [user as Address],
      amounts: [1n],
      outcome,
    });
    const answering = (last: PartState) =>
      payments({
        rebates: {
          send: async () => ({
            isComplete: last.state === "synced",
            parts: [part(downline.wallet, 1, { state: "synced", tx_hash: hash("1") }), part(kol.wallet, 2, last)],
          }),
        },
      });
    await answering({ state: "unknown", tx_hash: hash("2"), reason: "not mined" }).pay(id, ADMIN);
    const hashes = async () => (await bench.batches.detail(id, {})).items.map(({ payee, tx_hash }) => [payee, tx_hash]);
    const isCustomer = ([payee]: readonly (string | null)[]) => payee === downline.wallet;
    const [half] = (await hashes()).filter(isCustomer);
    assert.equal(half?.[1], hash("1"));
    assert.ok((await hashes()).some(([payee, tx_hash]) => payee === kol.wallet && tx_hash === null));
    assert.deepEqual([(await rowOf(id)).status, (await rowOf(id)).hold_up], ["paying", "not mined"]);
    assert.equal((await bench.books.statusOf(record)).payment_status, "pending");
    assert.deepEqual(await bench.books.countsOf(period), { record_count: 1, paid_count: 0 });
    await answering({ state: "waiting" }).run();
    assert.deepEqual([(await rowOf(id)).status, (await rowOf(id)).hold_up], ["paying", null]);
    assert.deepEqual(await answering({ state: "synced", tx_hash: hash("2") }).run(), { paid: 1, paying: 0 });
    const { payment_status, payment_tx_hash } = await bench.books.statusOf(record);
    assert.deepEqual([payment_status, payment_tx_hash], ["paid", hash("2")], "the broker's");
  });

  it("BRK-14: a payment that takes long is answered as it is then, and ends later", async () => {
    const { id } = await owed(1, 2);
    const gate = Promise.withResolvers<void>();
    const { rebates } = bench.options();
    const slow = payments({
      wait_ms: 10,
      rebates: { send: async (ref, lines) => await gate.promise.then(() => rebates.send(ref, lines)) },
    });
    await slow.pay(id, ADMIN);
    assert.equal((await rowOf(id)).status, "paying");
    gate.resolve();
    await slow.stop();
    assert.equal((await rowOf(id)).status, "paid");
  });

  it("BRK-14: pay and confirm at the same moment: exactly one of them wins", async () => {
    const payer = await bench.scene.user(60);
    await bench.scene.mint(payer.address, usdt(100));
    for (const isPayFirst of [true, false, true, false]) {
      const { id, downline } = await owed(3, 0);
      const hash = await bench.transfer(payer, downline.wallet, usdt(3));
      const moved = await ledger([downline.wallet]);
      const confirmations = new PayoutConfirmations({ ...bench.options(), contracts: bench.scene.contracts });
      const wishes = [() => payments().pay(id, ADMIN), () => confirmations.confirm(id, hash, ADMIN)] as const;
      const [first, second] = isPayFirst ? wishes : [wishes[1], wishes[0]];
      const results = await Promise.allSettled([first(), second()]);
      const { way, status } = await rowOf(id);
      assert.equal(status, "paid");
      const { fees, credited } = await moved();
      const confirmed = results[isPayFirst ? 1 : 0];
      if (way === "outside") assert.deepEqual([fees, credited[0], confirmed?.status], [0n, 0n, "fulfilled"]);
      else {
        assert.deepEqual([fees, credited[0]], [usdt(3), usdt(3)]);
        assert.ok(confirmed?.status === "rejected" && refused("INVALID_STATE")(confirmed.reason));
      }
    }
  });

  it("BRK-14: wallets that are no operator's cannot pay, and it says so", async () => {
    const { id } = await owed(1, 2);
    const { rebates } = bench.options();
    const broken = payments({
      rebates: {
        send: async () => {
          throw new Error("0x00 is not an operator of the referral contract: rebates cannot be synced");
        },
      },
    });
    await broken.pay(id, ADMIN);
    assert.match((await rowOf(id)).hold_up ?? "", /is not an operator/);
    assert.deepEqual(await payments({ rebates }).run(), { paid: 1, paying: 0 });
  });
});
