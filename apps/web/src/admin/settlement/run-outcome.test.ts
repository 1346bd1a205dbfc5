import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CalculatedRebates } from "@bourse/api/client";
import { type Before, outcomeOf } from "./run-outcome.ts";

const RUN: CalculatedRebates = {
  period: "2026-06-01",
  total_brokers: 1,
  total_records: 2,
  total_fee: "100.00",
  total_nominal: "40.00",
  total_customer_rebate: "10.00",
  total_share: "0.00",
  total_kol_net: "30.00",
  total_affiliate_reward: "0.00",
  provisional: false,
  revision: 1,
  root: "0xaa",
};
const SUMS = { count: 2, fee: "100", nominal: "40", customer: "10", share: "0", net: "30" };
const settled = (change: Partial<NonNullable<Before["root"]>> = {}): Before => ({
  root: { root: "0xaa", revision: 1, status: "closed", ...change },
  sums: SUMS,
});

describe("what a settlement has done", () => {
  it("the first one of a day has nothing to be compared with", () => {
    assert.deepEqual(outcomeOf({ root: undefined, sums: undefined }, RUN), { kind: "first", differences: [] });
  });

  it("BRK-9: the same root again: nothing changed", () => {
    assert.deepEqual(outcomeOf(settled(), RUN), { kind: "unchanged", differences: [] });
  });

  it("a provisional day is closed, with the same records or with more", () => {
    const closed = { what: "Day", before: "provisional", after: "closed", isMoney: false };
    assert.deepEqual(outcomeOf(settled({ status: "provisional" }), RUN), { kind: "changed", differences: [closed] });
    const later = { ...RUN, root: "0xbb", revision: 2, total_records: 3, total_fee: "120.00" };
    assert.deepEqual(outcomeOf(settled({ status: "provisional" }), later).differences, [
      closed,
      { what: "Records", before: "2", after: "3", isMoney: false },
      { what: "Fees", before: "100", after: "120.00", isMoney: true },
    ]);
  });

  it("another root without known sums is a change whose sums are not told", () => {
    const before = { ...settled({ root: "0x99" }), sums: undefined };
    assert.deepEqual(outcomeOf(before, RUN), { kind: "changed", differences: [] });
  });
});
