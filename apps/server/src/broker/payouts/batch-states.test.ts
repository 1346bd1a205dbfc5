import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../../kernel/errors.ts";
import type { PayoutStatus } from "../tables.ts";
import { batchStates, movedBy, nextStatus } from "./batch-states.ts";

/** By state, in the order pay, confirm, cancel, taken, refused, funded, part_paid, all_paid. */
const EXPECTED: Readonly<Record<PayoutStatus, string>> = {
  open: "paying paid cancelled open open open open open",
  paying: "paying conflict conflict paying open paying paying paid",
  paid: "paid conflict conflict paid paid paid paid paid",
  cancelled: "conflict conflict cancelled cancelled cancelled cancelled cancelled cancelled",
};

describe("BRK-14: the states of a payout batch", () => {
  for (const state of batchStates.states) {
    for (const [place, event] of batchStates.events.entries()) {
      const expected = EXPECTED[state].split(" ")[place];
      it(`${state}, ${event} → ${expected}`, () => assert.equal(String(batchStates.answer(state, event)), expected));
    }
  }

  it("nothing leads out of paid or cancelled, and only an admin or the last part makes a batch paid", () => {
    for (const event of batchStates.events) {
      assert.ok(["paid", "conflict"].includes(String(batchStates.answer("paid", event))));
      assert.ok(["cancelled", "conflict"].includes(String(batchStates.answer("cancelled", event))));
      for (const state of ["open", "paying"] as const) {
        if (batchStates.answer(state, event) === "paid") assert.ok(event === "confirm" || event === "all_paid");
      }
    }
  });

  it("a wish that cannot be granted is 409 INVALID_STATE and names the state", () => {
    for (const [state, wish] of [
      ["paying", "confirm"],
      ["paying", "cancel"],
      ["paid", "cancel"],
      ["cancelled", "pay"],
    ] as const) {
      assert.throws(
        () => nextStatus(state, wish),
        (error: unknown) =>
          error instanceof ApiError &&
          error.status === 409 &&
          error.code === "INVALID_STATE" &&
          error.details?.["status"] === state,
      );
    }
    assert.equal(nextStatus("open", "pay"), "paying");
    assert.equal(movedBy("paying", "refused"), "open");
  });
});
