import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUY, SELL } from "../side.ts";
import { budgetOf } from "./bonus.ts";
import { FIRST_MARKETS, MAJOR_BRACKETS, OTHER_BRACKETS } from "./market.ts";
import { defaultRules, findRulesProblems, MARKET_RULE_NAMES, unwindDistance_e8 } from "./market-rules.ts";
import { clampTicks, worstTicks } from "./notional.ts";
import { usdt } from "./testing/oracle.ts";

const MAJORS = defaultRules(MAJOR_BRACKETS);
const OTHERS = defaultRules(OTHER_BRACKETS);

test("FUT-13, FUT-21: the rules of majors and others are those of the table", () => {
  assert.deepEqual(
    MARKET_RULE_NAMES.map((name) => [MAJORS[name], OTHERS[name]]),
    [
      [400_000, 1_000_000],
      [usdt(10_000), usdt(4_000)],
      [5_000_000, 8_000_000],
      [2_000_000, 5_000_000],
      [1_000_000, 2_000_000],
      [400_000, 1_000_000],
      [2_000_000, 4_000_000],
      [300_000, 500_000],
      [2_000_000, 4_000_000],
      [100_000_000, 50_000_000],
      [10_000_000, 5_000_000],
      [300_000, 500_000],
      [200, 50],
    ],
  );
  for (const { brackets } of FIRST_MARKETS) assert.deepEqual(findRulesProblems(defaultRules(brackets), brackets), []);
});

test("FUT-13: a market whose brackets leave less room has narrower bounds", () => {
  // 100× at 0.5 %: half of 1 % − 0.5 % is 0.25 %, half of the rate too; both stay below.
  const brackets = [{ cap_micros: usdt(1), maxLeverage: 100, maintenanceRate_e8: 500_000, cumulative_micros: 0 }];
  const rules = defaultRules(brackets);
  assert.deepEqual([rules.markClamp_e8, rules.triggerClamp_e8, rules.unwindBound_e8], [249_999, 249_999, 249_999]);
  assert.deepEqual(findRulesProblems(rules, brackets), []);
});

test("FUT-2, FUT-13, FUT-21: rules that would let quotes liquidate or the fund lose are refused", () => {
  const problems = (change: object) => findRulesProblems({ ...MAJORS, ...change }, MAJOR_BRACKETS).length;
  assert.equal(problems({}), 0);
  const wrong = [
    { markClamp_e8: 500_000 },
    { unwindBound_e8: 500_000 },
    { unwindBound_e8: 400_000, stressBound_e8: 399_999 },
    { marketBound_e8: 5_000_001 },
    { triggeredBound_e8: 2_000_001 },
    { fairBound_e8: 2_000_001 },
    { triggerClamp_e8: 5_000_001 },
    { fundInventory_e8: 1_000_000_001 },
    { openInterestFactor: 0 },
    { impactNotional_micros: 0.5 },
    { fairBound_e8: undefined },
  ];
  for (const change of wrong) assert.ok(problems(change) > 0, JSON.stringify(change));
});

test("FUT-13: a clamped price is within both bounds, which are rounded toward the centre", () => {
  // 30 ± 1 % in ticks of 0.001; 30.001 × 1.01 = 30.30101 and × 0.99 = 29.70099.
  assert.deepEqual([clampTicks(34_470, 30_000, 1_000_000), clampTicks(1, 30_000, 1_000_000)], [30_300, 29_700]);
  assert.deepEqual([clampTicks(34_470, 30_001, 1_000_000), clampTicks(1, 30_001, 1_000_000)], [30_301, 29_701]);
  assert.deepEqual([clampTicks(9, 1, 1_000_000), clampTicks(30_100, 30_000, 1_000_000)], [1, 30_100]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 24 - 1 }), fc.integer({ min: 1, max: 2 ** 24 - 1 }), (ticks, centre) => {
      const clamped = clampTicks(ticks, centre, 400_000);
      assert.ok(clamped >= worstTicks(SELL, centre, 400_000) && clamped <= worstTicks(BUY, centre, 400_000));
    }),
  );
});

test("FUT-21: only a running index widens the bound of the fund, up to the stress bound", () => {
  assert.deepEqual(
    [0, 1, 600_000, 1_000_000, 9_000_000].map((run_e8) => unwindDistance_e8(MAJORS, run_e8)),
    [300_000, 300_000, 600_000, 800_000, 2_000_000],
  );
});

test("BON-7: the budget is a twentieth of the grant, rounded down", () => {
  assert.deepEqual([budgetOf(usdt(500)), budgetOf(19), budgetOf(40)], [usdt(25), 0, 2]);
});
