import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fractionOfTyped, percentText } from "./percent.ts";

describe("rates", () => {
  it("are shown in per cent and sent as fractions, exactly", () => {
    assert.equal(percentText("0.35"), "35");
    assert.equal(percentText("0.123456"), "12.3456");
    assert.equal(fractionOfTyped("35"), "0.35");
    assert.equal(fractionOfTyped("12.3456"), "0.123456");
    assert.equal(fractionOfTyped("100"), "1");
    assert.equal(fractionOfTyped("0"), "0");
  });

  it("that are no rate are none: above 100 %, finer than six decimals, words, signs", () => {
    for (const typed of ["100.01", "12.34567", "", "ten", "-5", "1e1"]) {
      assert.equal(fractionOfTyped(typed), undefined, typed);
    }
  });
});
