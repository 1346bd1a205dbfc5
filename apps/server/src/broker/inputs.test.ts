import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../kernel/errors.ts";
import { seededRandom } from "../kernel/random.ts";
import { schemaRefusal } from "./callers.ts";
import { COMPANY, readCodeId, readName, readNote, readOwner, readRequiredRatio, readUuid } from "./inputs.ts";
import { randomCode, statusAt } from "./partners/invite-code.ts";

const ID = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";
const refusedAs = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;

describe("what partners send", () => {
  it("BRK-15: an owner is a BD's UUID or the company", () => {
    assert.equal(readOwner("new_owner", ID.toUpperCase()), ID);
    assert.equal(readOwner("new_owner", COMPANY), null);
    for (const text of ["", "company", "__COMPANY__", `${ID} `, `{${ID}}`, ID.replaceAll("-", ""), `${ID}\u0000`]) {
      assert.throws(() => readOwner("new_owner", text), refusedAs("INVALID_ID"), text);
      assert.throws(() => readUuid("id", text), refusedAs("INVALID_ID"), text);
    }
  });

  it("BRK-2: a code's id is a whole number the database can hold", () => {
    assert.equal(readCodeId("2147483647"), 2_147_483_647);
    for (const text of ["2147483648", "0", "01", "-1", "1.0", "", "x", "1e1"]) {
      assert.throws(() => readCodeId(text), refusedAs("INVALID_ID"), text);
    }
  });

  it("BRK-16: names count characters, not code units, and hide nothing", () => {
    assert.equal(readName("label", ` ${"🚀".repeat(40)} `, 40), "🚀".repeat(40));
    for (const text of ["", "  ", "🚀".repeat(41), "a\u0000", "a\u009f", "\ud83d", "a\u2028b", "\u202ea", "a\tb"]) {
      assert.throws(() => readName("label", text, 40), refusedAs("INVALID_FIELD"), JSON.stringify(text));
    }
    assert.deepEqual([readNote(undefined), readNote(null), readNote(" "), readNote(" x ")], [null, null, null, "x"]);
  });

  it("WIRE-2: a ratio is a number or a text, both exact", () => {
    assert.deepEqual(
      [0, 1, 0.000001, "0.10", "1.0", "0.999999"].map((ratio) => readRequiredRatio("r", ratio)),
      [0, 1_000_000, 1, 100_000, 1_000_000, 999_999],
    );
    for (const ratio of [1e-7, Number.NaN, Number.POSITIVE_INFINITY, "1e0", "+0.1", ".5", "5.", "０.1", 1n, [0.1]]) {
      assert.throws(() => readRequiredRatio("r", ratio), refusedAs("RATIO_OUT_OF_RANGE"), String(ratio));
    }
    for (const ratio of [undefined, null])
      assert.throws(() => readRequiredRatio("r", ratio), refusedAs("FIELD_REQUIRED"));
  });

  it("BRK-16: what a schema refuses has the program's codes", () => {
    const of = (instancePath: string, message: string) =>
      schemaRefusal([{ instancePath, message }], "body") as ApiError;
    const missing = of("/tiers/0", "must have required properties label, level");
    assert.deepEqual(
      [missing.status, missing.code, missing.message],
      [400, "FIELD_REQUIRED", "tiers.0.label is required"],
    );
    const wrong = of("/level", "must be integer");
    assert.deepEqual([wrong.status, wrong.code, wrong.message], [400, "INVALID_FIELD", "level must be integer"]);
    assert.equal((schemaRefusal([], "body") as ApiError).message, "body is not valid");
  });
});

describe("a code", () => {
  it("BRK-4: has 8 characters of Crockford's base 32, all of them equally likely", () => {
    const random = seededRandom("codes");
    const counts = new Map<string, number>();
    for (let drawn = 0; drawn < 8_000; drawn += 1) {
      const code = randomCode(random);
      assert.match(code, /^[0-9A-HJKMNP-TV-Z]{8}$/);
      for (const character of code) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    assert.equal(counts.size, 32);
    for (const [character, count] of counts) assert.ok(Math.abs(count - 2_000) < 250, `${character}: ${count}`);
  });

  it("BRK-2: is expired from its time on, unless it came to an end before", () => {
    const expire_at = new Date(1_000);
    assert.equal(statusAt({ status: "active", expire_at }, 999), "active");
    assert.equal(statusAt({ status: "active", expire_at }, 1_000), "expired");
    assert.equal(statusAt({ status: "used", expire_at }, 2_000), "used");
    assert.equal(statusAt({ status: "disabled", expire_at }, 2_000), "disabled");
    assert.equal(statusAt({ status: "active", expire_at: null }, 2_000), "active");
  });
});
