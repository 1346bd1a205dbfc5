import assert from "node:assert/strict";
import { it } from "node:test";
import { gasLimitFor, raisedFees } from "./fees.ts";

it("a stuck transaction offers a quarter more, rounded up", () => {
  const asked = { maxFee_wei: 1n, maxPriorityFee_wei: 1n };
  assert.deepEqual(raisedFees({ maxFee_wei: 100n, maxPriorityFee_wei: 9n }, asked), {
    maxFee_wei: 125n,
    maxPriorityFee_wei: 12n,
  });
  assert.deepEqual(raisedFees({ maxFee_wei: 1n, maxPriorityFee_wei: 0n }, asked), {
    maxFee_wei: 2n,
    maxPriorityFee_wei: 1n,
  });
});

it("and no less than what the chain asks now", () => {
  const raised = raisedFees(
    { maxFee_wei: 100n, maxPriorityFee_wei: 10n },
    { maxFee_wei: 500n, maxPriorityFee_wei: 2n },
  );
  assert.deepEqual(raised, { maxFee_wei: 500n, maxPriorityFee_wei: 13n });
});

it("the gas limit is a fifth above the estimate, rounded up, with room for new entries of the Vault", () => {
  assert.deepEqual([gasLimitFor(21_000n), gasLimitFor(1n), gasLimitFor(6n)], [75_200n, 50_002n, 50_008n]);
});
