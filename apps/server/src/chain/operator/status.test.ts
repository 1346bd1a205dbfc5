import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOpen, OBSERVATIONS, STATUSES, transitions } from "./status.ts";

describe("the states of a transaction", () => {
  it("every state has an answer to everything that can be seen", () => {
    assert.deepEqual(Object.keys(transitions).sort(), [...STATUSES].sort());
    for (const status of STATUSES) {
      assert.deepEqual(Object.keys(transitions[status]).sort(), [...OBSERVATIONS].sort(), status);
      for (const observation of OBSERVATIONS) assert.ok(STATUSES.includes(transitions[status][observation]));
    }
  });

  it("what is open ends by being mined or by losing its nonce, and by nothing else", () => {
    for (const status of STATUSES.filter(isOpen)) {
      assert.equal(transitions[status].succeeded, "confirmed");
      assert.equal(transitions[status].failed, "reverted");
      assert.equal(transitions[status]["nonce-taken"], "superseded");
      for (const observation of ["unseen", "pending", "gone"] as const) {
        assert.ok(isOpen(transitions[status][observation]), `${status} ${observation}`);
      }
    }
  });

  it("what has reached a node is never taken for unsent again", () => {
    for (const status of STATUSES.filter((each) => each !== "signed")) {
      for (const observation of OBSERVATIONS) assert.notEqual(transitions[status][observation], "signed");
    }
  });

  it("what has ended stays so, unless its block is gone from the chain", () => {
    for (const status of STATUSES.filter((each) => !isOpen(each))) {
      for (const observation of OBSERVATIONS.filter((each) => each !== "gone")) {
        assert.equal(transitions[status][observation], status, `${status} ${observation}`);
      }
    }
    assert.deepEqual(
      [transitions.confirmed.gone, transitions.reverted.gone, transitions.superseded.gone],
      ["sent", "sent", "superseded"],
    );
  });
});
