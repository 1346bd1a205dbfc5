import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CodesDraft, codesCsv, codesLabel, forecastCodes, inputOfCodes, problemsOfCodes } from "./codes-draft.ts";

const GOOD: CodesDraft = { count: "20", amount: "100.5", days: "30" };
const pool = { pool_cap_usdt: "5000.00", net_outflow: "2000.00", in_flight_total: "990.00" };

describe("codes", () => {
  it("are ordered by count, amount and days", () => {
    const input = inputOfCodes(GOOD, null);
    assert.deepEqual(input, { count: 20, amount: "100.5", ttl_days: 30 });
    assert.ok(input);
    assert.equal(codesLabel(input), "Make 20 codes of 100.5 USDT (2,010 USDT)");
  });

  it("are held against what the pool still reaches for, grants on their way included", () => {
    const input = inputOfCodes(GOOD, null);
    assert.ok(input);
    assert.deepEqual(forecastCodes(input, pool), { total: "2010", before: "2010", after: "0", isWithinCap: true });
    assert.equal(forecastCodes({ ...input, count: 21 }, pool).isWithinCap, false);
  });

  it("name what the exchange would refuse", () => {
    const problems = (change: Partial<CodesDraft>, most: string | null = null) =>
      Object.keys(problemsOfCodes({ ...GOOD, ...change }, most));
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ count: "5001" }), ["count"]);
    assert.deepEqual(problems({ count: "0" }), ["count"]);
    assert.deepEqual(problems({ amount: "" }), ["amount"]);
    assert.deepEqual(problems({}, "100"), ["amount"]);
    assert.deepEqual(problems({ days: "366" }), ["days"]);
    assert.equal(inputOfCodes({ ...GOOD, count: "x" }, null), undefined);
  });

  it("are kept as a table", () => {
    assert.equal(
      codesCsv(["A", "B"], "100", "2026-07-01"),
      "code,amount_usdt,expires_at\r\nA,100,2026-07-01\r\nB,100,2026-07-01\r\n",
    );
  });
});
