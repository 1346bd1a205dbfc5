import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dayBefore, isDay, phaseOf } from "./days.ts";

const NOON_ms = Date.UTC(2026, 5, 2, 12);

describe("days", () => {
  it("are those of the calendar", () => {
    assert.ok(isDay("2026-06-01"));
    assert.ok(isDay("2028-02-29"));
    for (const text of ["2026-02-29", "2026-13-01", "2026-6-1", "", "yesterday"]) assert.ok(!isDay(text), text);
  });

  it("are over, running or ahead by the platform's clock, in UTC", () => {
    assert.equal(phaseOf("2026-06-01", NOON_ms), "over");
    assert.equal(phaseOf("2026-06-02", NOON_ms), "running");
    assert.equal(phaseOf("2026-06-03", NOON_ms), "ahead");
    assert.equal(dayBefore(NOON_ms), "2026-06-01");
  });
});
