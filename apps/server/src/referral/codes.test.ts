import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { padHex, stringToHex } from "viem";
import { codeText } from "./codes.ts";

const padded = (hex: `0x${string}`) => padHex(hex, { size: 32, dir: "right" });

describe("bytes32 codes", () => {
  const rows: readonly (readonly [name: string, bytes: `0x${string}`, text: string])[] = [
    ["no code", "0x", ""],
    ["letters and digits", "0x535052494e473236", "SPRING26"],
    ["all 32 bytes", stringToHex("ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"), "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"],
    ["two, three and four bytes a character", "0xc3bce282acf09f8e89", "ü€🎉"],
    ["a space and a line end are text", "0x410a20", "A\n "],
    ["a zero byte inside is text", "0x410042", "A\u0000B"],
    ["a byte order mark is kept", "0xefbbbf41", "\ufeffA"],
    ["a lone continuation byte", "0x80", padded("0x80")],
    ["a character that is cut off", "0x41e282", padded("0x41e282")],
    ["an overlong form", "0xc0af", padded("0xc0af")],
    ["a surrogate", "0xeda080", padded("0xeda080")],
    ["beyond the last character", "0xf4908080", padded("0xf4908080")],
    ["a byte that is never UTF-8", "0xff", padded("0xff")],
    ["zero bytes before it", "0x00ff", padded("0x00ff")],
    ["capital hex digits", "0xFE", padded("0xfe")],
  ];
  for (const [name, bytes, text] of rows) {
    it(`REF-2: ${name}`, () => assert.equal(codeText(padded(bytes)), text));
  }

  it("REF-2: what is shown as hex is no text that a code could be: that has at most 32 characters", () => {
    const texts = rows.map(([, , text]) => text).filter((text) => text.startsWith("0x"));
    assert.equal(texts.length, 8);
    for (const text of texts) assert.equal(text.length, 66);
    assert.equal(codeText(padded(stringToHex("0xff"))), "0xff");
  });
});
