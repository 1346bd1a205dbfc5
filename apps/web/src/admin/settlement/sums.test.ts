import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PayoutRecord } from "@bourse/api/client";
import { owedOf, sumsByDay, sumsOf } from "./sums.ts";

const record = (period: string, parts: Partial<PayoutRecord> = {}): PayoutRecord => ({
  id: "id",
  broker_id: "broker",
  downline_wallet: "0x1",
  period,
  fee_amount: "100.00",
  kol_rebate_rate: "0.3",
  share_ratio: "0.2",
  nominal_rebate: "30.00",
  share_amount: "4.00",
  kol_net_rebate: "16.00",
  payment_status: "pending",
  payment_tx_hash: null,
  customer_rebate: "10.00",
  revision: 0,
  ...parts,
});

describe("sums of records", () => {
  it("are exact to the last unit, adjustments that take back included", () => {
    const sums = sumsOf([
      record("2026-06-01", { fee_amount: "0.1", kol_net_rebate: "0.000001" }),
      record("2026-06-01", { fee_amount: "0.2", kol_net_rebate: "-0.000002" }),
    ]);
    assert.deepEqual(sums, { count: 2, fee: "0.3", nominal: "60", customer: "20", share: "8", net: "-0.000001" });
    assert.equal(owedOf(sums), "27.999999");
  });

  it("of nothing are nothing", () => {
    assert.equal(owedOf(sumsOf([])), "0");
  });

  it("stand day by day, the newest first, with how many are still to be paid", () => {
    const days = sumsByDay([
      record("2026-06-01", { payment_status: "paid" }),
      record("2026-06-03"),
      record("2026-06-01"),
    ]);
    assert.deepEqual(
      days.map(({ period, count, pending }) => [period, count, pending]),
      [
        ["2026-06-03", 1, 1],
        ["2026-06-01", 2, 1],
      ],
    );
  });
});
