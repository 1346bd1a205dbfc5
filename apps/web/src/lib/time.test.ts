import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatDuration, formatLocal, formatUtc, msOf } from "./time.ts";

describe("times for a reader", () => {
  it("what is left, in its two largest units", () => {
    const second = 1000;
    assert.equal(formatDuration(59_999), "59 s");
    assert.equal(formatDuration(12 * 60 * second + 9 * second), "12 min 09 s");
    assert.equal(formatDuration(3 * 3600 * second + 61 * second), "3 h 01 min");
    assert.equal(formatDuration(6 * 86_400 * second + 4 * 3600 * second), "6 d 04 h");
    assert.equal(formatDuration(-5), "0 s");
  });

  it("UTC for the hover, the reader's zone for the page", () => {
    const at = Date.UTC(2026, 5, 1, 14, 3, 22);
    assert.equal(formatUtc(at), "2026-06-01 14:03:22 UTC");
    assert.equal(formatUtc("2026-06-01T14:03:22.000Z"), "2026-06-01 14:03:22 UTC");
    const local = new Date(at);
    assert.equal(formatLocal(at, "day").slice(8), String(local.getDate()).padStart(2, "0"));
    assert.equal(formatLocal(at).slice(11, 13), String(local.getHours()).padStart(2, "0"));
    assert.equal(msOf("2026-06-01T14:03:22.000Z"), at);
  });
});
