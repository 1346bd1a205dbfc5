import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseDateTime } from "./date-time.ts";

test("date-times of RFC 3339 with fractions and offsets", () => {
  const noon_ms = Date.UTC(2026, 5, 1, 12);
  assert.equal(parseDateTime("2026-06-01T12:00:00Z"), noon_ms);
  assert.equal(parseDateTime("2026-06-01t12:00:00z"), noon_ms);
  assert.equal(parseDateTime("2026-06-01T12:00:00.5Z"), noon_ms + 500);
  assert.equal(parseDateTime("2026-06-01T12:00:00.123999999Z"), noon_ms + 123);
  assert.equal(parseDateTime("2026-06-01T14:30:00+02:30"), noon_ms);
  assert.equal(parseDateTime("2026-05-31T23:00:00-13:00"), noon_ms);
  assert.equal(parseDateTime("2026-06-01T12:00:00-00:00"), noon_ms);
  assert.equal(parseDateTime("2024-02-29T00:00:00Z"), Date.UTC(2024, 1, 29));
});

test("times that do not exist, and other formats, are refused", () => {
  const wrong = [
    "",
    "2026-06-01",
    "2026-06-01 12:00:00Z",
    "2026-06-01T12:00:00",
    "2026-06-01T12:00Z",
    "2026-06-01T12:00:00.Z",
    "2026-06-01T24:00:00Z",
    "2026-06-01T12:60:00Z",
    "2026-06-01T12:00:60Z",
    "2026-02-29T12:00:00Z",
    "2026-04-31T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-00-01T12:00:00Z",
    "2026-06-00T12:00:00Z",
    "9999-12-31T23:59:59-00:01",
    "0000-01-01T00:00:00+00:01",
    "2026-06-01T12:00:00+24:00",
    "2026-06-01T12:00:00+01:60",
    "2026-06-01T12:00:00+0100",
    "+002026-06-01T12:00:00Z",
    "2026-06-01T12:00:00Z\n",
    "1780315200000",
    "Mon, 01 Jun 2026 12:00:00 GMT",
  ];
  for (const text of wrong) assert.equal(parseDateTime(text), undefined, text);
});

test("every time a Date can write in four-digit years is read back", () => {
  const years = {
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  };
  fc.assert(fc.property(fc.date(years), (date) => parseDateTime(date.toISOString()) === date.getTime()));
});

test("any text gives a number or undefined", () => {
  fc.assert(fc.property(fc.string(), (text) => ["number", "undefined"].includes(typeof parseDateTime(text))));
});
