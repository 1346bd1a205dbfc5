import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAudit } from "@bourse/engine";
import { dayOf } from "../../kernel/dates.ts";
import { brokerDb } from "../tables.ts";
import type { BookedBroker } from "../testing/books.ts";
import { PayoutPayments } from "./payments.ts";
import { mortalProcess } from "./testing/mortal.ts";
import { createPaymentBench, type PaymentBench } from "./testing/payment-bench.ts";
import { ADMIN, usdt } from "./testing/payout-books.ts";

const FOR_EVER = Number.MAX_SAFE_INTEGER;
/** The process can crash at every call of a payment; besides the first and the last, this many calls are tried. */
const MOMENTS = process.env["TEST_DEPTH"] === "long" ? 40 : 15;

describe("a process that dies while it pays", () => {
  let bench: PaymentBench;
  let kol: BookedBroker;
  let days = 0;

  before(async () => {
    bench = await createPaymentBench();
    kol = await bench.brokers.kol({ rate: 0.4 });
    for (let round = 0; round < 5; round += 1) await bench.earnFees();
  });
  after(async () => {
    // INV-1.
    assertAudit(bench.exchange.engine);
    await bench.close();
  });

  const statusOf = async (id: string) =>
    (
      await brokerDb(bench.database)
        .selectFrom("payout_batch")
        .select("status")
        .where("id", "=", id)
        .executeTakeFirstOrThrow()
    ).status;

  async function batchOf(payees: number) {
    days += 1;
    const period = await bench.books.day(dayOf(Date.UTC(2024, 0, days)));
    const wallets = await bench.books.customers(period, kol, payees, 1_000n);
    const { id } = await bench.batches.create({ period }, ADMIN);
    return { id, period, wallets };
  }

  /** Crashes after `lifetime` calls, then another process continues until the batch is paid. Returns the number of calls. */
  async function payAndDie(payees: number, lifetime: number): Promise<number> {
    const { id, period, wallets } = await batchOf(payees);
    const { scene } = bench;
    const before = {
      fees: bench.feeAccount(),
      vault: await bench.vaultTokens(),
      operator: await scene.tokensOf(scene.operatorAccount.address),
      credited: await Promise.all(wallets.map(bench.credited)),
    };
    const process = mortalProcess(bench, lifetime);
    const payments = new PayoutPayments({ ...process.options, wait_ms: 30_000 });
    await payments.pay(id, ADMIN).catch((error: unknown) => {
      assert.ok(process.isDead(), `it failed alive: ${error}`);
    });
    await payments.stop();

    const heir = new PayoutPayments(bench.options());
    if ((await statusOf(id)) === "open") await heir.pay(id, ADMIN);
    for (let round = 0; (await statusOf(id)) !== "paid"; round += 1) {
      assert.ok(round < 10, `after ${lifetime} questions it is still ${await statusOf(id)}`);
      await bench.projector.waitForAll(10_000);
      await heir.run();
    }
    const total = BigInt(payees) * 1_000n;
    const at = `after ${lifetime} questions`;
    assert.equal(before.fees - bench.feeAccount(), total, `${at}: taken from the fee account once`);
    assert.equal(before.vault - (await bench.vaultTokens()), total, `${at}: paid by the Vault once`);
    assert.equal(await scene.tokensOf(scene.operatorAccount.address), before.operator, `${at}: all passed on`);
    for (const [place, wallet] of wallets.entries()) {
      assert.equal((await bench.credited(wallet)) - (before.credited[place] ?? 0n), 1_000n, `${at}: credited once`);
    }
    assert.deepEqual(await bench.books.countsOf(period), { record_count: payees, paid_count: payees });
    const { items: shown } = await bench.batches.detail(id, {});
    assert.ok(shown.every(({ tx_hash }) => tx_hash !== null));
    return process.asked();
  }

  it("BRK-14: at any question to the database or the chain, the batch is paid exactly once in the end", async () => {
    const all = await payAndDie(2, FOR_EVER);
    assert.ok(all > 30, `${all} questions`);
    const stride = Math.max(1, Math.floor(all / MOMENTS));
    for (let lifetime = 0; lifetime <= all; lifetime += stride) await payAndDie(2, lifetime);
  });

  it("BRK-14: between two parts as well", async () => {
    const all = await payAndDie(201, FOR_EVER);
    const shares = process.env["TEST_DEPTH"] === "long" ? [0.5, 0.7, 0.8, 0.9, 0.95] : [0.8];
    for (const share of shares) await payAndDie(201, Math.floor(all * share));
    assert.ok(bench.feeAccount() > usdt(0));
  });
});
