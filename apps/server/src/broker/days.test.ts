import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../kernel/errors.ts";
import { dayAfter, daysOf, rangeUpTo, readDay, readRange } from "./days.ts";

const TODAY = "2026-06-01";

function assertInvalid(action: () => unknown, text: RegExp): void {
  assert.throws(action, (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code], [400, "INVALID_PERIOD"]);
    assert.match(error.message, text);
    return true;
  });
}

describe("days", () => {
  it("BRK-16: only days of the calendar are read", () => {
    for (const day of ["2026-02-28", "2024-02-29", "0001-01-01", "9999-12-31"]) assert.equal(readDay("from", day), day);
    const none = ["", "2026-02-30", "2026-02-29", "2026-2-3", "20260203", "0000-01-01", "2026-13-01", "2026-00-10"];
    const texts = [
      ...none,
      " 2026-02-03",
      "2026-02-03T00:00:00Z",
      "+02026-02-03",
      "-2026-02-03",
      "２０２６-02-03",
      "null",
    ];
    for (const text of texts) assertInvalid(() => readDay("from", text), /^from must be a date as YYYY-MM-DD$/);
  });

  it("BRK-17: a range has a usual length, an order and a limit", () => {
    assert.deepEqual(readRange({}, TODAY), { from: "2026-05-03", to: TODAY });
    assert.deepEqual(readRange({ to: "2026-03-01" }, TODAY), { from: "2026-01-31", to: "2026-03-01" });
    assert.deepEqual(readRange({ to: "0001-01-05" }, TODAY), { from: "0001-01-01", to: "0001-01-05" });
    assert.deepEqual(readRange({ from: "2026-05-31" }, TODAY), { from: "2026-05-31", to: TODAY });
    assert.deepEqual(readRange({ from: TODAY, to: TODAY }, TODAY), { from: TODAY, to: TODAY });
    assert.equal(daysOf(readRange({ from: "2025-06-01", to: TODAY }, TODAY)).length, 366);
    assertInvalid(() => readRange({ from: "2025-05-31", to: TODAY }, TODAY), /at most 366 days/);
    assertInvalid(() => readRange({ from: "2026-06-02" }, TODAY), /from must not be after to/);
    assertInvalid(() => readRange({ to: "2026-06-31" }, TODAY), /^to must be a date/);
  });

  it("counts days over the ends of months and years", () => {
    assert.equal(dayAfter("2026-02-28", 1), "2026-03-01");
    assert.equal(dayAfter("2026-01-01", -1), "2025-12-31");
    assert.deepEqual(daysOf(rangeUpTo("2026-03-01", 3)), ["2026-02-27", "2026-02-28", "2026-03-01"]);
  });
});
