import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decimalsOf, formatCompact, formatDecimal, formatMoney, groupDigits, percentOf, shortHash } from "./format.ts";

describe("figures for a reader", () => {
  it("whole digits stand in threes, decimals are left alone", () => {
    assert.equal(groupDigits("1234567.123456"), "1,234,567.123456");
    assert.equal(groupDigits("123"), "123");
    assert.equal(groupDigits("1000"), "1,000");
  });

  it("money is cut, never rounded up: nobody is shown more than there is", () => {
    assert.equal(formatMoney("1204.559999"), "1,204.55");
    assert.equal(formatMoney("-0.019"), "−0.01");
  });

  it("what rounds to nothing has no sign", () => {
    assert.equal(formatMoney("-0.004"), "0.00");
    assert.equal(formatMoney("0", { signed: true }), "0.00");
  });

  it("digits beyond what a floating-point number could hold stay exact", () => {
    assert.equal(formatDecimal("9007199254740993.000001"), "9,007,199,254,740,993.000001");
  });

  it("profit carries a plus when asked for", () => {
    assert.equal(formatDecimal("12.5", { signed: true, decimals: 2 }), "+12.50");
    assert.equal(formatDecimal("-12.5", { signed: true, decimals: 2 }), "−12.50");
  });

  it("fractions as per cent", () => {
    assert.equal(percentOf("0.0125"), "1.25");
    assert.equal(percentOf("-0.5", 0), "−50");
  });

  it("a step tells its decimals", () => {
    assert.equal(decimalsOf("0.10"), 1);
    assert.equal(decimalsOf("0.001"), 3);
    assert.equal(decimalsOf("1"), 0);
    assert.equal(decimalsOf("10"), 0);
  });

  it("magnitudes for axes", () => {
    assert.equal(formatCompact("1240000"), "1.24M");
    assert.equal(formatCompact("-2500"), "−2.50K");
    assert.equal(formatCompact("12.3"), "12.30");
  });

  it("addresses keep begin and end", () => {
    assert.equal(shortHash("0x52908400098527886e0f7030069857d2e4169ee7"), "0x5290…9ee7");
    assert.equal(shortHash("0x12"), "0x12");
  });
});
