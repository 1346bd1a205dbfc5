import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { grantsRefusal, readAmount, readBatchId, readCount, readTime } from "./inputs.ts";

describe("inputs of grants", () => {
  it("WIRE-2: amounts are exact, from texts and from numbers", () => {
    const good: readonly (readonly [string | number, bigint])[] = [
      ["500", 500_000_000n],
      ["0.000001", 1n],
      [0.000001, 1n],
      ["0.1", 100_000n],
      [0.1, 100_000n],
      ["1000000000", 1_000_000_000_000_000n],
      [1_000_000_000, 1_000_000_000_000_000n],
    ];
    for (const [input, micros] of good) assert.equal(readAmount("amount", input), micros, String(input));
  });

  it("BON-5: what is no amount above 0 is invalid_amount", () => {
    const bad = [
      "",
      "0",
      "0.000000",
      0,
      -1,
      "-1",
      "0.0000001",
      1e-7,
      "1.0000000",
      "1000000000.000001",
      1e21,
      "1e3",
      "ten",
    ];
    for (const input of [...bad, " 1", "1,5", "+1", ".5", "5.", "Infinity", "NaN", "٣"]) {
      assert.throws(() => readAmount("amount", input), { code: "invalid_amount", status: 400 }, String(input));
    }
  });

  it("BON-5: counts, ids and times", () => {
    assert.equal(readCount(5_000), 5_000);
    assert.throws(() => readCount(5_001), { code: "count_too_large" });
    for (const count of [0, -1]) assert.throws(() => readCount(count), { code: "invalid_count" });
    const id = "3F0C1A52-6B1D-4C55-9A7E-0D3F5B1C2A44";
    assert.equal(readBatchId("id", id), id.toLowerCase());
    for (const text of ["", "1", `${id}0`, `${id}\n`]) {
      assert.throws(() => readBatchId("id", text), { code: "invalid_field", details: { rule: "id" } });
    }
    assert.equal(readTime("at", "2026-06-10T15:59:59Z").getTime(), Date.UTC(2026, 5, 10, 15, 59, 59));
    for (const text of ["", "2026-06-10", "2026-02-30T00:00:00Z", "tomorrow"]) {
      assert.throws(() => readTime("at", text), { code: "invalid_field" });
    }
  });

  it("BON-5: what a schema refuses of an amount or a count has the reason of one", () => {
    const codeOf = (instancePath: string, message = "must be string") =>
      (grantsRefusal([{ instancePath, message }], "body") as Error & { code: string }).code;
    for (const field of ["amount", "per_address_amount", "max_amount"])
      assert.equal(codeOf(`/${field}`), "invalid_amount");
    assert.equal(codeOf("/count"), "invalid_count");
    assert.equal(codeOf("/notes"), "invalid_field");
    assert.equal(codeOf("", "must have required properties count"), "field_required");
  });
});
