import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readTyped, sayUnits, tokensOf, unitsOf } from "./tokens.ts";

describe("units of the token", () => {
  it("has six decimals, both ways and without loss", () => {
    for (const [units, tokens] of [
      ["0", "0"],
      ["1", "0.000001"],
      ["9863013", "9.863013"],
      ["100000000", "100"],
      ["1000000000000", "1000000"],
    ] as const) {
      assert.equal(tokensOf(units), tokens);
      assert.equal(unitsOf(tokens), BigInt(units));
    }
  });

  it("keeps amounts that a floating-point number cannot hold", () => {
    assert.equal(tokensOf("123456789012345678901"), "123456789012345.678901");
    assert.equal(unitsOf("123456789012345.678901"), 123456789012345678901n);
  });

  it("never makes more of an amount", () => {
    assert.equal(unitsOf("0.0000019"), 1n);
  });

  it("tells small amounts whole and round ones with two decimals", () => {
    assert.equal(sayUnits("250000000"), "250.00 USDT");
    assert.equal(sayUnits("9863013"), "9.863013 USDT");
    assert.equal(sayUnits("9863013", 2), "9.86 USDT");
  });
});

describe("what is typed as an amount", () => {
  it("is exact or told what is wrong", () => {
    assert.deepEqual(readTyped(" "), { kind: "empty" });
    assert.deepEqual(readTyped("1,250.5"), { kind: "amount", units: 1_250_500_000n, tokens: "1250.5" });
    assert.deepEqual(readTyped(".000001"), { kind: "amount", units: 1n, tokens: "0.000001" });
    for (const text of ["ten", "1e3", "-5", "0", "0.0000001"]) assert.equal(readTyped(text).kind, "wrong", text);
  });
});
