import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AdminPointsSeason } from "@bourse/api/client";
import { localInputOf } from "../../lib/local-time.ts";
import { wholeOf } from "../frame/typed.ts";
import { epochCalendar } from "./epochs.ts";
import {
  CHANGEABLE,
  changeOfSeason,
  draftOfSeason,
  EMPTY_SEASON,
  problemsOfChange,
  problemsOfSeason,
  requestOfSeason,
  type SeasonDraft,
} from "./season-draft.ts";

const season = {
  season_id: "c2f899c2-fee9-4d69-9836-016dad7c04c8",
  season_no: 2,
  label: "High Tide",
  start_epoch: 43,
  end_epoch: 48,
  user_pool_tokens: 1_000_000,
  mm_pool_tokens: 100_000,
  status: "active",
  snapshot_at: "2026-12-07T00:00:00.000Z",
  distribution_at: "2026-12-10T00:00:00.000Z",
} as AdminPointsSeason;
const NOW_MS = Date.parse("2026-11-15T20:00:00Z");
const calendar = epochCalendar([season], undefined, NOW_MS);
const GOOD: SeasonDraft = {
  ...EMPTY_SEASON,
  label: "Ebb",
  start: "49",
  end: "52",
  userPool: "2,000,000",
  makerPool: "0",
};

describe("epochs", () => {
  it("follow from a season's end, or from the epoch that runs", () => {
    const byNumber = epochCalendar([], 45, NOW_MS);
    assert.ok(calendar && byNumber);
    for (const each of [calendar, byNumber]) {
      assert.equal(each.current, 45);
      assert.equal(new Date(each.end_ms(48)).toISOString(), "2026-12-07T00:00:00.000Z");
      assert.equal(new Date(each.start_ms(45)).toISOString(), "2026-11-09T00:00:00.000Z");
    }
    assert.equal(epochCalendar([], undefined, NOW_MS), undefined);
  });
});

describe("a season's draft", () => {
  const problems = (change: Partial<SeasonDraft>) =>
    Object.keys(problemsOfSeason({ ...GOOD, ...change }, calendar, [season]));

  it("names what the exchange would refuse", () => {
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ label: "" }), ["label"]);
    assert.deepEqual(problems({ start: "48" }), ["start"]);
    assert.deepEqual(problems({ start: "53" }), ["end"]);
    assert.deepEqual(problems({ start: "40", end: "42" }), ["end"]);
    assert.deepEqual(problems({ start: "0", end: "x" }), ["start", "end"]);
    assert.deepEqual(problems({ userPool: "1.5" }), ["userPool"]);
    assert.deepEqual(problems({ makerPool: "1000000000000001" }), ["makerPool"]);
    assert.deepEqual(problems({ number: "2" }), ["number"]);
    assert.deepEqual(problems({ number: "0" }), ["number"]);
    assert.deepEqual(problems({ distribution: localInputOf("2026-12-30T00:00:00Z") }), ["distribution"]);
    assert.deepEqual(problems({ distribution: localInputOf("2028-01-30T00:00:00Z") }), ["distribution"]);
    assert.deepEqual(problems({ distribution: localInputOf("2027-01-05T00:00:00Z") }), []);
  });

  it("leaves number and distribution to the exchange unless they are given", () => {
    assert.deepEqual(requestOfSeason(GOOD), {
      label: "Ebb",
      start_epoch: 49,
      end_epoch: 52,
      user_pool_tokens: "2000000",
      mm_pool_tokens: "0",
    });
    assert.equal(requestOfSeason({ ...GOOD, number: "7" }).season_no, 7);
  });

  it("sends and shows only what differs", () => {
    assert.deepEqual(changeOfSeason(season, draftOfSeason(season)), { lines: [], request: {} });
    const { lines, request } = changeOfSeason(season, { ...draftOfSeason(season), userPool: "1,200,000", end: "50" });
    assert.deepEqual(request, { end_epoch: 50, user_pool_tokens: "1200000" });
    assert.deepEqual(lines, [
      { what: "Last epoch", before: "48", after: "50" },
      { what: "Traders' pool", before: "1,000,000 tokens", after: "1,200,000 tokens" },
      { what: "Distribution from", before: "2026-12-10 00:00:00 UTC", after: "moves with the end" },
    ]);
  });

  it("is judged by what can still be changed", () => {
    const moved = { ...draftOfSeason(season), end: "60" };
    assert.deepEqual(problemsOfChange(season, moved, calendar, []), {});
    const over: AdminPointsSeason = { ...season, status: "completed", end_epoch: 44 };
    assert.deepEqual(problemsOfChange(over, draftOfSeason(over), calendar, []), {});
    assert.deepEqual(Object.keys(problemsOfChange(over, { ...draftOfSeason(over), label: "" }, calendar, [])), [
      "label",
    ]);
  });

  it("PTS-2: less can be changed the further a season is", () => {
    assert.ok(CHANGEABLE.pending.includes("start"));
    assert.ok(!CHANGEABLE.active.includes("start") && CHANGEABLE.active.includes("end"));
    assert.deepEqual(CHANGEABLE.snapshot, ["label", "distribution"]);
    assert.deepEqual(CHANGEABLE.completed, ["label"]);
  });

  it("reads whole numbers only", () => {
    assert.equal(wholeOf("1,000", 0n, 1_000n), 1_000n);
    for (const text of ["", "1.0", "-1", "1001", "1e3"]) assert.equal(wholeOf(text, 0n, 1_000n), undefined, text);
  });
});
