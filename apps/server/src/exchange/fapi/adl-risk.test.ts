import assert from "node:assert/strict";
import { it } from "node:test";
import { adlRiskOf } from "./adl-risk.ts";

it("FUT-22, FUT-20: the risk rises at a third and at two thirds of the cap, and is high while the market is capped", () => {
  const riskAt = (outflow_micros: number, isCapped = false) => adlRiskOf({ outflow_micros, cap_micros: 300, isCapped });
  assert.deepEqual(
    [-50, 0, 99].map((outflow) => riskAt(outflow)),
    ["low", "low", "low"],
  );
  assert.deepEqual(
    [100, 199].map((outflow) => riskAt(outflow)),
    ["medium", "medium"],
  );
  assert.deepEqual(
    [200, 300].map((outflow) => riskAt(outflow)),
    ["high", "high"],
  );
  assert.equal(riskAt(0, true), "high");
});
