import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_MARKETS, indexOfSources } from "@bourse/engine";
import { seededRandom } from "../../kernel/random.ts";
import { fairIndex, sourceClamp_e8 } from "./source-prices.ts";

const MAJOR_e8 = 500_000;
const OTHER_e8 = 1_000_000;

describe("the index by rules version 5", () => {
  it("FUT-13: sources are clamped by 0.5 % in majors and by 1 % in others", () => {
    const clamps = FIRST_MARKETS.map((market) => [market.symbol, sourceClamp_e8(market)]);
    assert.deepEqual(clamps, [
      ["BTCUSDT", MAJOR_e8],
      ["ETHUSDT", MAJOR_e8],
      ["SOLUSDT", OTHER_e8],
      ["AVAXUSDT", OTHER_e8],
    ]);
  });

  it("FUT-13: one further than 5 % from the median is dropped, one at 5 % is not", () => {
    assert.deepEqual(fairIndex([600_000, 700_000, 600_100], MAJOR_e8), {
      indexTicks: 600_050,
      noIndex: undefined,
      uses: ["counted", "dropped", "counted"],
    });
    assert.deepEqual(fairIndex([600_000, 600_000, 630_000], MAJOR_e8).uses, ["counted", "counted", "clamped"]);
    assert.deepEqual(fairIndex([600_000, 600_000, 630_001], MAJOR_e8).uses, ["counted", "counted", "dropped"]);
    assert.deepEqual(fairIndex([570_000, 600_000, 600_000], MAJOR_e8).uses, ["clamped", "counted", "counted"]);
    assert.deepEqual(fairIndex([569_999, 600_000, 600_000], MAJOR_e8).uses, ["dropped", "counted", "counted"]);
  });

  it("FUT-13: each other one is clamped to the median; bounds are rounded toward it, the mean to the nearest tick, halves up", () => {
    assert.equal(fairIndex([600_000, 600_000, 620_000], MAJOR_e8).indexTicks, 601_000);
    assert.equal(fairIndex([600_000, 600_000, 580_000], MAJOR_e8).indexTicks, 599_000);
    assert.equal(fairIndex([30_000, 30_000, 31_000], OTHER_e8).indexTicks, 30_100);
    // 333 × 1.005 = 334.665 counts as 334: (333 + 333 + 334) / 3 = 333.33…; downwards 331.335 counts as 332.
    assert.equal(fairIndex([333, 333, 340], MAJOR_e8).indexTicks, 333);
    assert.deepEqual(fairIndex([333, 333, 334], MAJOR_e8).uses, ["counted", "counted", "counted"]);
    assert.deepEqual(fairIndex([333, 333, 335], MAJOR_e8).uses, ["counted", "counted", "clamped"]);
    assert.equal(fairIndex([1_000, 1_001], MAJOR_e8).indexTicks, 1_001, "1,000.5 is rounded up");
  });

  it("FUT-13: two suffice while they differ by at most twice the clamp, one is none", () => {
    assert.deepEqual(fairIndex([], MAJOR_e8), { indexTicks: 0, noIndex: "too_few_sources", uses: [] });
    assert.deepEqual(fairIndex([600_000], MAJOR_e8), { indexTicks: 0, noIndex: "too_few_sources", uses: ["counted"] });
    // Twice 0.5 % of 60,000.0, half of it on each side of the median.
    assert.equal(fairIndex([597_000, 603_000], MAJOR_e8).indexTicks, 600_000);
    assert.deepEqual(fairIndex([597_000, 603_031], MAJOR_e8), {
      indexTicks: 0,
      noIndex: "sources_disagree",
      uses: ["clamped", "clamped"],
    });
    assert.equal(fairIndex([597_000, 606_000], OTHER_e8).indexTicks, 601_500);
    assert.equal(fairIndex([597_000, 609_100], OTHER_e8).noIndex, "sources_disagree");
  });

  it("FUT-13: the same holds for two that are left, and for two halves of four", () => {
    assert.equal(fairIndex([600_000, 604_000, 700_000], MAJOR_e8).indexTicks, 602_490, "600,000 counts at 600,980");
    assert.equal(fairIndex([600_000, 612_000, 700_000], MAJOR_e8).noIndex, "sources_disagree");
    assert.equal(fairIndex([600_000, 600_000, 612_000, 612_000], MAJOR_e8).noIndex, "sources_disagree");
    assert.equal(fairIndex([600_000, 600_000, 700_000, 700_000], MAJOR_e8).noIndex, "sources_disagree", "none is left");
    assert.equal(fairIndex([600_000, 600_000, 600_000, 612_000], MAJOR_e8).indexTicks, 600_750);
  });

  it("FUT-13: one lying source of three moves the index by at most a third of the clamp", () => {
    for (const [honest, clamp_e8, most] of [
      [600_000, MAJOR_e8, 1_000],
      [30_000, OTHER_e8, 100],
    ] as const) {
      for (let lie = 1; lie <= 2 * honest; lie += Math.floor(honest / 997)) {
        const { indexTicks } = fairIndex([honest, lie, honest], clamp_e8);
        assert.ok(Math.abs(indexTicks - honest) <= most, `${lie} makes ${indexTicks} of ${honest}`);
      }
    }
  });

  it("FUT-13: the order of the sources does not matter, and a clamp of 5 % is the rule of before", () => {
    const random = seededRandom("sources");
    const below = (limit: number) => random.bytes(4).readUInt32LE() % limit;
    for (let round = 0; round < 2_000; round += 1) {
      const centre = 1 + below(1_000_000);
      const spread = 1 + Math.floor((centre * below(20)) / 100);
      const ticks = Array.from({ length: below(7) }, () => Math.max(1, centre + below(2 * spread) - spread));
      const { indexTicks } = fairIndex(ticks, MAJOR_e8);
      assert.equal(fairIndex(ticks.toReversed(), MAJOR_e8).indexTicks, indexTicks, ticks.join(" "));
      const before = indexOfSources(Float64Array.from(ticks));
      if (ticks.length % 2 === 1) assert.equal(fairIndex(ticks, 5_000_000).indexTicks, before, ticks.join(" "));
      if (indexTicks === 0) continue;
      const [low, high] = [Math.min(...ticks), Math.max(...ticks)];
      assert.ok(indexTicks >= low && indexTicks <= high, ticks.join(" "));
    }
  });
});
