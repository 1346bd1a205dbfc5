import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { amountText } from "../ratios.ts";
import { amountOfDigits, isoOfTimestamp } from "./downlines-text.ts";

describe("the text of downlines", () => {
  it("writes amounts as everywhere else", () => {
    for (const micros of [0n, 1n, -1n, 10n, 30_000_000n, -1_500_000n, 999_999n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      assert.equal(amountOfDigits(String(micros)), amountText(micros));
    }
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (micros) => {
        assert.equal(amountOfDigits(String(micros)), amountText(micros));
      }),
    );
  });

  it("writes times with milliseconds", () => {
    assert.equal(isoOfTimestamp("2026-06-01 12:00:00+00"), "2026-06-01T12:00:00.000Z");
    assert.equal(isoOfTimestamp("2026-06-01 12:00:00.5+00"), "2026-06-01T12:00:00.500Z");
    assert.equal(isoOfTimestamp("2026-06-01 12:00:00.123456+00"), "2026-06-01T12:00:00.123Z");
  });
});
