import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PLANTED } from "./planted/bugs.ts";
import { Simulation } from "./simulation.ts";

const ACTIONS = 100;
const LITTLE_TROUBLE = 0.3;

describe("INV-1 … INV-7: the auditor sees what it should", () => {
  for (const { name, topics, says, plant, trouble = LITTLE_TROUBLE, actions = ACTIONS, days = 1 } of PLANTED) {
    it(`${topics[0]}: ${name}`, async (t) => {
      const report = await Simulation.run({ seed: `planted ${name}`, days, actions, trouble, bugs: plant() });
      const complaints = report.complaints.map(({ topic, text }) => `${topic}: ${text}`);
      t.diagnostic(complaints[0] ?? "no complaint");
      const isSeen = report.complaints.some(({ topic, text }) => topics.includes(topic) && says.test(text));
      assert.ok(isSeen, `nobody has noticed it; complaints: ${complaints.join("\n") || "none"}`);
    });
  }

  it("without a bug it has nothing to say", async () => {
    const report = await Simulation.run({
      seed: "planted nothing",
      days: 1,
      actions: ACTIONS,
      trouble: LITTLE_TROUBLE,
    });
    assert.deepEqual(report.complaints, []);
  });
});
