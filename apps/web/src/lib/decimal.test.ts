import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fractionForDrawing, parseTyped, sum } from "./decimal.ts";

describe("what a person types", () => {
  it("plain numbers, also on the way to one", () => {
    for (const [typed, read] of [
      ["12", "12"],
      ["12.", "12"],
      [".5", "0.5"],
      [" 1,234.50 ", "1234.5"],
    ] as const) {
      assert.equal(parseTyped(typed)?.toString(), read);
    }
  });

  it("anything else is no number", () => {
    for (const typed of ["", ".", "-1", "1e5", "1.2.3", "abc", "0x10", "∞", "9".repeat(41)]) {
      assert.equal(parseTyped(typed), undefined, typed);
    }
  });

  it("sums are exact", () => {
    assert.equal(sum(["0.1", "0.2", "0.000001"]).toString(), "0.300001");
    assert.equal(sum([]).toString(), "0");
  });

  it("a part of nothing draws as nothing, more than all as all", () => {
    assert.equal(fractionForDrawing("1", "0"), 0);
    assert.equal(fractionForDrawing("3", "2"), 1);
    assert.equal(fractionForDrawing("1", "4"), 0.25);
  });
});
