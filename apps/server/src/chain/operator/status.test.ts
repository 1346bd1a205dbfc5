import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOpen, transactionStates } from "./status.ts";

const { states, events } = transactionStates;
const next: typeof transactionStates.next = (status, observation) => transactionStates.next(status, observation);

describe("the states of a transaction", () => {
  it("what is open ends by being mined or by losing its nonce, and by nothing else", () => {
    for (const status of states.filter(isOpen)) {
      assert.equal(next(status, "succeeded"), "confirmed");
      assert.equal(next(status, "failed"), "reverted");
      assert.equal(next(status, "nonce-taken"), "superseded");
      for (const observation of ["unseen", "pending", "gone"] as const) {
        assert.ok(isOpen(next(status, observation)), `${status} ${observation}`);
      }
    }
  });

  it("what has reached a node is never taken for unsent again", () => {
    for (const status of states.filter((each) => each !== "signed")) {
      for (const observation of events) assert.notEqual(next(status, observation), "signed");
    }
  });

  it("what has ended stays so, unless its block is gone from the chain", () => {
    for (const status of states.filter((each) => !isOpen(each))) {
      for (const observation of events.filter((each) => each !== "gone")) {
        assert.equal(next(status, observation), status, `${status} ${observation}`);
      }
    }
    assert.deepEqual(
      [next("confirmed", "gone"), next("reverted", "gone"), next("superseded", "gone")],
      ["sent", "sent", "superseded"],
    );
  });
});
