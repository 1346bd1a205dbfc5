import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DAY_s } from "../kernel/dates.ts";
import {
  annualPercent,
  areEqualTerms,
  type EarnTerms,
  interestOf,
  onChain,
  periodBps,
  periodPercent,
  settleTimeOf,
  subscribedPercent,
} from "./terms.ts";

const terms = (changes: Partial<EarnTerms> = {}): EarnTerms => ({
  annualRateBps: 1_200,
  durationSeconds: 30 * DAY_s,
  totalQuota: 1_000_000_000n,
  minAmount: 10_000_000n,
  maxAmountPerUser: 500_000_000n,
  subscribeStart: 1_780_000_000,
  subscribeEnd: 1_780_086_400,
  ...changes,
});

describe("the figures of a product", () => {
  it("ERN-2: 1,000 USDT at 12 % for 30 days earn 9.863013", () => {
    assert.equal(interestOf(1_000_000_000n, terms()), 9_863_013n);
    assert.equal(interestOf(0n, terms()), 0n);
    assert.equal(interestOf(1_000_000_000n, terms({ durationSeconds: 365 * DAY_s })), 120_000_000n);
  });

  it("ERN-2: interest is rounded down, so parts never earn more than the whole", () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 30n),
        fc.bigInt(1n, 10n ** 30n),
        fc.integer({ min: 1, max: 100_000 }),
        (a, b, bps) => {
          const rate = terms({ annualRateBps: bps });
          const [parts, whole] = [interestOf(a, rate) + interestOf(b, rate), interestOf(a + b, rate)];
          assert.ok(parts <= whole && whole - parts <= 1n);
          const scale = 10_000n * 31_536_000n;
          const exact = a * BigInt(bps) * BigInt(rate.durationSeconds);
          assert.ok(interestOf(a, rate) * scale <= exact && (interestOf(a, rate) + 1n) * scale > exact);
        },
      ),
    );
  });

  it("ERN-2: the settle time is the end of the subscription and the term", () => {
    assert.equal(settleTimeOf(terms()), 1_780_086_400 + 2_592_000);
  });

  it("WIRE-4b: percentages have their fixed decimals", () => {
    assert.equal(annualPercent(terms()), "12.00");
    assert.equal(annualPercent(terms({ annualRateBps: 5 })), "0.05");
    assert.equal(periodPercent(terms()), "0.9863");
    assert.equal(periodPercent(terms({ durationSeconds: 365 * DAY_s })), "12.0000");
    assert.equal(subscribedPercent(455_000_000n, terms()), "45.50");
    assert.equal(subscribedPercent(0n, terms()), "0.00");
    assert.equal(subscribedPercent(1_000_000_000n, terms()), "100.00");
  });

  it("WIRE-4b: the term's basis points are rounded half up", () => {
    assert.equal(periodBps(terms()), 99);
    assert.equal(periodBps(terms({ annualRateBps: 1, durationSeconds: 15_768_000 })), 1);
    assert.equal(periodBps(terms({ annualRateBps: 1, durationSeconds: 15_767_999 })), 0);
  });

  it("a maximum above the quota goes to the chain as the quota", () => {
    assert.equal(onChain(terms({ maxAmountPerUser: 2_000_000_000n })).maxAmountPerUser, 1_000_000_000n);
    assert.deepEqual(onChain(terms()), terms());
  });

  it("ERN-1: terms are the same when all of them are", () => {
    assert.equal(areEqualTerms(terms(), terms()), true);
    for (const name of Object.keys(terms()) as (keyof EarnTerms)[]) {
      const value = terms()[name];
      const other = typeof value === "bigint" ? value + 1n : value + 1;
      assert.equal(areEqualTerms(terms(), { ...terms(), [name]: other }), false, name);
    }
  });
});
