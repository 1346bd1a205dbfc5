import assert from "node:assert/strict";
import { it } from "node:test";
import { checkWithdrawal } from "./withdraw-check.ts";

const TO = `0x${"aB".repeat(20)}`;

it("VLT-1: a withdrawal is checked before it is asked for", () => {
  const good = { kind: "good", tokens: "250.5", units: 250_500_000n, to: TO };
  assert.deepEqual(checkWithdrawal({ amount: "250.5", to: ` ${TO} ` }, "250.50"), good);
  // Nobody knows yet what can leave: the exchange decides.
  assert.deepEqual(checkWithdrawal({ amount: "250.5", to: TO }, undefined), good);
  assert.deepEqual(checkWithdrawal({ amount: "", to: "" }, "1"), { kind: "wrong" });
  assert.deepEqual(checkWithdrawal({ amount: "250.500001", to: TO }, "250.50"), {
    kind: "wrong",
    amount: "At most 250.50 USDT can leave now.",
  });
  const twice = checkWithdrawal({ amount: "x", to: "0x12" }, "1");
  assert.ok(twice.kind === "wrong" && twice.amount !== undefined && twice.to !== undefined);
});
