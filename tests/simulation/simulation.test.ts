import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FAULTS } from "./ground/faults.ts";
import { NOTABLE_SEEDS } from "./seeds.ts";
import { Simulation, type SimulationReport } from "./simulation.ts";

/** Shorter than a seed of `npm run simulate`, which takes three days and 2,000 actions. */
const DAYS = 1;
const ACTIONS = 400;

const shown = ({ complaints }: SimulationReport) => complaints.map(({ topic, text }) => `${topic}: ${text}`).join("\n");
const text = (counts: ReadonlyMap<string, number>) => [...counts].map(([name, times]) => `${name} ${times}`).join(", ");

describe("INV-1 … INV-8: the whole platform, with faults, against an auditor that knows what clients received", () => {
  const struck = new Set<string>();

  for (const { seed, why } of NOTABLE_SEEDS) {
    it(`INV-1, INV-2, INV-3, INV-4, INV-5, INV-6, INV-7: seed ${seed} (${why})`, async (t) => {
      const report = await Simulation.run({ seed, days: DAYS, actions: ACTIONS, trouble: 2 });
      for (const fault of report.faults.keys()) struck.add(fault);
      t.diagnostic(`faults: ${text(report.faults)}; crashes: ${text(report.crashes)}`);
      assert.equal(
        shown(report),
        "",
        `again: npm run simulate -- --seed "${seed}" --days ${DAYS} --actions ${ACTIONS}`,
      );
      assert.equal(report.days, DAYS);
      assert.ok([...report.actions.values()].reduce((sum, times) => sum + times, 0) >= ACTIONS);
      assert.ok(report.fills > 50, "people have traded");
      for (const topic of ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5", "INV-6", "INV-7", "balance", "fill"]) {
        assert.ok((report.checks.get(topic) ?? 0) > 0, `${topic} was looked at`);
      }
    });
  }

  it("the runs above were no fair weather: most kinds of faults have struck, crashes among them", (t) => {
    const missing = FAULTS.filter((fault) => !struck.has(fault));
    t.diagnostic(`not among them: ${missing.join(", ")}`);
    assert.ok(struck.has("crash"));
    assert.ok(missing.length <= FAULTS.length / 2, `too few faults have struck: ${[...struck].join(", ")}`);
  });
});
