import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { plainText } from "./plain-text.ts";

describe("a text for people", () => {
  it("is taken without the spaces around it, by characters and not by halves of them", () => {
    assert.equal(plainText("  Perp Diaries \n", 12), "Perp Diaries");
    assert.equal(plainText("🦊🦊🦊", 3), "🦊🦊🦊");
    assert.equal(plainText("🦊🦊🦊🦊", 3), undefined);
  });

  it("is refused where there is nothing to see or where it plays tricks", () => {
    for (const text of ["", "   ", "a\u0000b", "a\nb", "\ud800", "abc\u202edef", "\u2066x", "x\u2028y"]) {
      assert.equal(plainText(text, 100), undefined, JSON.stringify(text));
    }
  });
});
