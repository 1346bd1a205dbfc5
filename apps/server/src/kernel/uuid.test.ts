import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isUuid, parseUuid } from "./uuid.ts";

const ID = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";

describe("UUIDs", () => {
  it("are read in either case and come in lower case", () => {
    assert.equal(parseUuid(ID), ID);
    assert.equal(parseUuid(ID.toUpperCase()), ID);
  });

  it("are 8, 4, 4, 4 and 12 hex digits and nothing else", () => {
    for (const text of ["", ID.slice(1), `${ID}0`, ` ${ID}`, `${ID}\n`, ID.replaceAll("-", ""), ID.replace("3", "g")]) {
      assert.equal(parseUuid(text), undefined, text);
      assert.equal(isUuid(text), false, text);
    }
  });
});
