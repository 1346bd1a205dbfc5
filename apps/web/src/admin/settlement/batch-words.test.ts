import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BATCH_ACTIONS, exactUsdt, isTxHash, payLabel } from "./batch-words.ts";

describe("payout batches in words", () => {
  it("the button names the thing and the amount, never more than there is", () => {
    assert.equal(payLabel({ total_amount: "1204.559", payee_count: 38 }), "Pay 1,204.55 USDT to 38 partners");
    assert.equal(payLabel({ total_amount: "5.00", payee_count: 1 }), "Pay 5.00 USDT to 1 partner");
    assert.equal(exactUsdt("16209.470609"), "16,209.470609 USDT");
  });

  it("BRK-14: only what the state allows is offered", () => {
    assert.deepEqual(BATCH_ACTIONS.open, ["pay", "confirm", "cancel"]);
    assert.deepEqual(BATCH_ACTIONS.paying, ["pay"]);
    assert.deepEqual([...BATCH_ACTIONS.paid, ...BATCH_ACTIONS.cancelled], []);
  });

  it("knows a transaction hash", () => {
    assert.ok(isTxHash(` 0x${"5a".repeat(32)} `));
    for (const text of ["", "0x5a", "5a".repeat(32), `0x${"5g".repeat(32)}`]) assert.ok(!isTxHash(text), text);
  });
});
