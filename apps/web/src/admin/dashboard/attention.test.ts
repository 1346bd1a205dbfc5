import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BonusReconcileReport, Invariant, Job, MarketInfo, PayoutBatch } from "@bourse/api/client";
import { mattersOf, type Signs } from "./attention.ts";

const NOTHING: Signs = {
  readiness: undefined,
  invariants: undefined,
  jobs: undefined,
  switches: undefined,
  markets: undefined,
  batches: undefined,
  bonus: undefined,
};
const wordsOf = (signs: Partial<Signs>) => mattersOf({ ...NOTHING, ...signs }).map(({ words }) => words);

describe("what needs an operator", () => {
  it("what is not known yet says nothing, and neither does what is well", () => {
    assert.deepEqual(wordsOf({}), []);
    const well: Partial<Signs> = {
      readiness: { status: "ready", checks: { database: { ok: true, detail: "answers" } } },
      switches: {
        withdrawals_paused: false,
        withdrawals_paused_by_switch: false,
        withdrawals_paused_by_setting: false,
      },
      invariants: [{ ok: true } as Invariant, { ok: null } as Invariant],
      jobs: [{ consecutive_failures: 0 } as Job],
      markets: [{ status: "trading" } as MarketInfo],
      batches: [{ status: "paid", hold_up: null } as PayoutBatch],
      bonus: { ok: true, grants_stopped: false } as BonusReconcileReport,
    };
    assert.deepEqual(wordsOf(well), []);
  });

  it("what is wrong comes before what was stopped on purpose", () => {
    const matters = mattersOf({
      ...NOTHING,
      switches: { withdrawals_paused: true, withdrawals_paused_by_switch: false, withdrawals_paused_by_setting: true },
      invariants: [{ code: "INV-1", name: "Money", ok: false, checked_at: null, detail: "" }],
      batches: [{ status: "open", hold_up: null } as PayoutBatch],
    });
    assert.deepEqual(
      matters.map(({ kind, to }) => [kind, to]),
      [
        ["urgent", "/admin/invariants"],
        ["waiting", "/admin/payouts"],
        ["waiting", "/admin/switches"],
      ],
    );
    assert.match(matters[2]?.words ?? "", /WITHDRAWALS_PAUSED/);
  });

  it("failing jobs and faulty parts are named", () => {
    assert.deepEqual(wordsOf({ jobs: [{ name: "funding", consecutive_failures: 3 } as Job] }), [
      "1 job failing: funding.",
    ]);
    assert.deepEqual(
      wordsOf({ readiness: { status: "degraded", checks: { chain: { ok: false, detail: "no answer" } } } }),
      ["chain: no answer."],
    );
  });

  it("a payout that is held up is urgent, and so is a pool that does not reconcile", () => {
    assert.deepEqual(wordsOf({ batches: [{ status: "paying", hold_up: "PaymentsPaused" } as PayoutBatch] }), [
      "A payout is stuck: PaymentsPaused.",
    ]);
    assert.deepEqual(wordsOf({ bonus: { ok: false, grants_stopped: true } as BonusReconcileReport }), [
      "The bonus pool and the accounts do not agree.",
      "New bonus grants are stopped.",
    ]);
  });
});
