import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { canonicalJson } from "./canonical-json.ts";

describe("canonical JSON", () => {
  it("sorts keys at every depth and leaves out undefined members", () => {
    const value = { b: [{ z: 1, a: null }], a: "x", gone: undefined, "10": true, "9": false };
    assert.equal(canonicalJson(value), '{"10":true,"9":false,"a":"x","b":[{"a":null,"z":1}]}');
  });

  it("is JSON of the same value, whatever order the keys were in", () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        fc.maxSafeInteger(),
        // A NUL cannot be stored, nor a byte order mark at the beginning; see below.
        fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "").replace(/^\ufeff+/, "")),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(
          fc.string({ unit: "grapheme" }).map((name) => name.replace(/^\ufeff+/, "")),
          tie("value"),
          { maxKeys: 4 },
        ),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        const parsed: unknown = JSON.parse(text);
        assert.equal(canonicalJson(parsed), text);
        assert.equal(JSON.stringify(sortedDeep(parsed)), JSON.stringify(sortedDeep(JSON.parse(JSON.stringify(value)))));
      }),
      { numRuns: 300 },
    );
  });

  it("refuses what a jsonb column would not give back as it was", () => {
    for (const value of [0.1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => canonicalJson({ value }), /cannot hold the number .*; give it as a string/);
    }
    assert.throws(() => canonicalJson([10n]), /cannot hold a value of type bigint/);
    assert.throws(() => canonicalJson({ at: new Date(0) }), /cannot hold a Date/);
    assert.throws(() => canonicalJson(undefined), /cannot hold a value of type undefined/);
    assert.throws(() => canonicalJson({ map: new Map() }), /cannot hold a Map/);
  });

  it("keeps a member named like an object's prototype", () => {
    const text = '{"__proto__":{"a":1},"constructor":"b"}';
    assert.equal(canonicalJson(JSON.parse(text)), text);
  });

  it("makes text storable: half a surrogate pair and NUL become the replacement character", () => {
    assert.equal(canonicalJson({ "\ud800": "\udfff" }), '{"\ufffd":"\ufffd"}');
    assert.equal(canonicalJson({ "a\0": "b\0\0" }), '{"a\ufffd":"b\ufffd\ufffd"}');
    assert.equal(canonicalJson({ a: "\ufeff\ufeffb\ufeffc" }), '{"a":"b\ufeffc"}');
  });
});

function sortedDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([name, member]) => [name, sortedDeep(member)])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}
