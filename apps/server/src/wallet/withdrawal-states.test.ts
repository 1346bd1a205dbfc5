import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { vaultIdOf, withdrawalOf } from "./withdrawal-id.ts";
import { type WithdrawalStatus, withdrawalStates } from "./withdrawal-states.ts";

/** By state, in the order held, refused, submitted, failed, impossible, paid, orphaned, touched, released, declined. */
const EXPECTED: Readonly<Record<WithdrawalStatus, string>> = {
  requested: "held rejected requested requested requested confirmed requested requested requested requested",
  held: "held held sent held rejected confirmed held in_review held held",
  in_review: "in_review in_review sent in_review in_review confirmed in_review in_review held rejected",
  sent: "sent sent sent held sent confirmed sent sent sent sent",
  confirmed: "confirmed confirmed confirmed confirmed confirmed confirmed sent confirmed confirmed confirmed",
  rejected: "rejected rejected rejected rejected rejected rejected rejected rejected rejected rejected",
};

describe("VLT-1: the states of a withdrawal", () => {
  for (const state of withdrawalStates.states) {
    for (const [place, event] of withdrawalStates.events.entries()) {
      const expected = EXPECTED[state].split(" ")[place];
      it(`${state}, ${event} → ${expected}`, () => assert.equal(withdrawalStates.next(state, event), expected));
    }
  }

  it("only what was paid is confirmed, and only what was not sent can be rejected", () => {
    for (const state of withdrawalStates.states) {
      for (const event of withdrawalStates.events) {
        const next = withdrawalStates.next(state, event);
        if (next === "confirmed" && state !== "confirmed") assert.equal(event, "paid");
        if (next === "rejected" && state !== "rejected")
          assert.ok(state === "requested" || state === "held" || state === "in_review");
      }
    }
  });

  it("VLT-4: only what a hold touches before it is sent is reviewed, and it leaves the review once", () => {
    for (const state of withdrawalStates.states) {
      for (const event of withdrawalStates.events) {
        const next = withdrawalStates.next(state, event);
        if (next === "in_review" && state !== "in_review") assert.deepEqual([state, event], ["held", "touched"]);
        if (event === "released" || event === "declined") assert.equal(next !== state, state === "in_review");
      }
    }
  });

  it("the Vault knows a withdrawal by its 16 bytes and 16 zeros, and by nothing else", () => {
    const withdrawal = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";
    const id = "0x3f0c1a526b1d4c559a7e0d3f5b1c2a4400000000000000000000000000000000";
    assert.equal(vaultIdOf(withdrawal), id);
    assert.equal(withdrawalOf(id), withdrawal);
    assert.equal(withdrawalOf(`0x${"ab".repeat(32)}`), undefined);
    assert.throws(() => vaultIdOf("no id"), RangeError);
  });
});
