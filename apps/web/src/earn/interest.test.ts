import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addedInterest, interestOf, sayDuration } from "./interest.ts";

const USDT = 1_000_000n;
const THIRTY_DAYS = { annual_rate_bps: 1_200, duration_seconds: 2_592_000 };

describe("ERN-2: interest", () => {
  it("is that of the documents' example, rounded down", () => {
    assert.equal(interestOf(1_000n * USDT, THIRTY_DAYS), 9_863_013n);
    assert.equal(interestOf(1_000n * USDT, { annual_rate_bps: 100_000, duration_seconds: 3_600 }), 1_141_552n);
  });

  it("is nothing for nothing, and never a fraction too much", () => {
    assert.equal(interestOf(0n, THIRTY_DAYS), 0n);
    assert.equal(interestOf(1n, THIRTY_DAYS), 0n);
  });

  it("of what is added is what it makes of the whole position", () => {
    // Each part alone would lose a fraction that the whole does not.
    const [held, added] = [100n, 3n];
    const terms = { annual_rate_bps: 10_000, duration_seconds: 15_768_000 };
    assert.deepEqual([interestOf(held, terms), interestOf(added, terms)], [50n, 1n]);
    assert.equal(addedInterest(held, added, terms), 1n);
    assert.equal(addedInterest(101n, added, terms), 2n);
  });
});

it("says a term in its largest whole unit", () => {
  for (const [seconds, words] of [
    [2_592_000, "30 days"],
    [86_400, "1 day"],
    [3_600, "1 hour"],
    [5_400, "90 minutes"],
    [60, "1 minute"],
    [90, "1 min 30 s"],
  ] as const) {
    assert.equal(sayDuration(seconds), words);
  }
});
