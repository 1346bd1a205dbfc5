import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FeeInfo } from "@bourse/api/client";
import { basisPoints, tierProgress } from "./tier-progress.ts";

const row = (tier: number, min_volume_14d: string) => ({
  tier,
  name: `VIP ${tier}`,
  min_volume_14d,
  maker_rate: "0.0002",
  taker_rate: "0.0005",
});
const tiers = [row(0, "0.00"), row(1, "1000000.00"), row(2, "5000000.00")];
const info = (tier: number, volume_14d: string): FeeInfo => ({ tiers, baseline: tiers[0]!, tier, volume_14d });

describe("FUT-15: the way to the next tier", () => {
  it("is what is missing of its volume", () => {
    const { next, fraction, missing } = tierProgress(info(0, "250000.5"))!;
    assert.deepEqual([next?.tier, missing], [1, "749999.5"]);
    assert.ok(Math.abs(fraction - 0.25) < 0.001);
  });

  it("is never less than nothing, also while a tier is held above its volume", () => {
    assert.equal(tierProgress(info(1, "900000"))?.missing, "4100000");
    assert.equal(tierProgress(info(0, "1000001"))?.missing, "0");
    assert.equal(tierProgress(info(0, "1000001"))?.fraction, 1);
  });

  it("ends at the top, and begins with a sign-in", () => {
    assert.deepEqual(tierProgress(info(2, "9000000")), {
      current: tiers[2],
      next: undefined,
      fraction: 1,
      missing: "0",
    });
    assert.equal(tierProgress({ tiers, baseline: tiers[0]! }), undefined);
  });
});

it("tells rates in basis points without rounding", () => {
  assert.deepEqual(["0.0005", "0.00045", "0", "0.000025"].map(basisPoints), ["5", "4.5", "0", "0.25"]);
});
