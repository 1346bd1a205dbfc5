import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EarnLevel } from "@bourse/api/client";
import { levelOf, standingOf } from "./ladder.ts";
import { calculationOf } from "./ledger-words.ts";
import { projectionOf } from "./projection.ts";
import { epochChoices, epochStart_ms, seasonClock, seasonInFocus } from "./season-time.ts";

const LEVELS: readonly EarnLevel[] = [
  { level: 0, points_min: 0, points_max: 999, weight: 4 },
  { level: 1, points_min: 1_000, points_max: 9_999, weight: 8 },
  { level: 2, points_min: 10_000, points_max: 49_999, weight: 12 },
  { level: 3, points_min: 50_000, points_max: 199_999, weight: 25 },
  { level: 4, points_min: 200_000, points_max: 499_999, weight: 60 },
  { level: 5, points_min: 500_000, points_max: null, weight: 120 },
];

describe("T10: the ladder of levels", () => {
  it("goes by whole points", () => {
    assert.equal(levelOf(LEVELS, "999.999999")?.level, 0);
    assert.equal(levelOf(LEVELS, "1000")?.level, 1);
    assert.equal(levelOf(LEVELS, "0")?.level, 0);
    assert.equal(levelOf(LEVELS, "999999999.5")?.level, 5);
  });

  it("says what is missing to each level above, to the last decimal", () => {
    const { rungs, here, next, fraction } = standingOf(LEVELS, "9999.5");
    assert.equal(here?.level, 1);
    assert.equal(next?.level, 2);
    assert.deepEqual(
      rungs.map(({ state, missing }) => [state, missing]),
      [
        ["reached", undefined],
        ["here", undefined],
        ["ahead", "0.5"],
        ["ahead", "40000.5"],
        ["ahead", "190000.5"],
        ["ahead", "490000.5"],
      ],
    );
    assert.equal(fraction.toFixed(4), "0.9999");
  });

  it("ends at the highest level", () => {
    const { next, fraction } = standingOf(LEVELS, "500000");
    assert.equal(next, undefined);
    assert.equal(fraction, 1);
  });
});

describe("PTS-5: how a projection comes about", () => {
  it("the example of the rules: 60,000 points of weight 25 get 992,326 of a million", () => {
    const { weighted, share, all } = projectionOf({
      points: "60000",
      weight: 25,
      pool: 1_000_000,
      projected: 992_326,
    });
    assert.equal(weighted, "1500000");
    assert.equal(share, "0.992326");
    // 900 × 4 + 1,000 × 8 + 60,000 × 25 = 1,511,600, which whole tokens tell to within a token's worth.
    assert.equal(all, "1511600");
  });

  it("nothing projected, and a pool of nothing, divide by nothing", () => {
    assert.deepEqual(projectionOf({ points: "0", weight: 4, pool: 1_000, projected: 0 }), {
      weighted: "0",
      share: "0",
      all: undefined,
    });
    assert.equal(projectionOf({ points: "5", weight: 4, pool: 0, projected: 0 }).share, "0");
  });
});

describe("PTS-3: how a line came about", () => {
  it("the factor is the line's own", () => {
    assert.equal(calculationOf({ source: "trade", base: "1.234567", points: "12.34567" }).factor, "10");
    assert.equal(calculationOf({ source: "trade", base: "1.234567", points: "18.518505" }).factor, "15");
    assert.equal(calculationOf({ source: "trade", base: "1.234567", points: "16.913567" }).factor, "13.7");
    assert.equal(calculationOf({ source: "earn", base: "2500", points: "25" }).factor, "0.01");
    assert.equal(calculationOf({ source: "referral", base: "12.34567", points: "1.234567" }).factor, "0.1");
    assert.equal(calculationOf({ source: "referral", base: "0", points: "0" }).factor, "0");
  });
});

describe("PTS-1: the season's clock", () => {
  const season = { start_epoch: 43, end_epoch: 48, snapshot_at: "2026-12-07T00:00:00.000Z" };
  const at = (text: string) => Date.parse(text);

  it("counts epochs back from the snapshot", () => {
    assert.equal(epochStart_ms(43, season), at("2026-10-26T00:00:00Z"));
    assert.equal(epochStart_ms(45, season), at("2026-11-09T00:00:00Z"));
    assert.equal(epochStart_ms(45, { ...season, snapshot_at: null }), undefined);
  });

  it("knows the epoch of the season before, in and after it", () => {
    assert.equal(seasonClock(season, at("2026-10-25T23:59:59Z"))?.epochOfSeason, 0);
    assert.equal(seasonClock(season, at("2026-10-26T00:00:00Z"))?.epochOfSeason, 1);
    assert.equal(seasonClock(season, at("2026-11-15T20:00:00Z"))?.epochOfSeason, 3);
    const over = seasonClock(season, at("2027-01-01T00:00:00Z"));
    assert.deepEqual([over?.epochOfSeason, over?.fraction], [6, 1]);
  });

  it("shows the season that runs, else the next, else the last", () => {
    const done = { season_no: 1, status: "completed" } as const;
    const next = { season_no: 3, status: "pending" } as const;
    const running = { season_no: 2, status: "active" } as const;
    assert.equal(seasonInFocus([done, next, running]), running);
    assert.equal(seasonInFocus([next, done]), next);
    assert.equal(seasonInFocus([done]), done);
    assert.equal(seasonInFocus([]), undefined);
  });

  it("offers the epochs there were, newest first", () => {
    assert.deepEqual(epochChoices(3), [3, 2, 1]);
    assert.deepEqual(epochChoices(0), []);
    assert.equal(epochChoices(200).length, 52);
  });
});
