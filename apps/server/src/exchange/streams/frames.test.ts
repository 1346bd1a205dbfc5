import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { textFrames } from "./frames.ts";

describe("frames", () => {
  it("short, long and very long messages have the header that fits, one behind the other", () => {
    const texts = ["", "a", "ä".repeat(62), "b".repeat(125), "c".repeat(126), "d".repeat(65_535), "e".repeat(65_536)];
    const frames = textFrames(texts);
    let at = 0;
    for (const text of texts) {
      assert.equal(frames[at], 0x81);
      const short = frames[at + 1]!;
      const [length, header] =
        short < 126
          ? [short, 2]
          : short === 126
            ? [frames.readUInt16BE(at + 2), 4]
            : [Number(frames.readBigUInt64BE(at + 2)), 10];
      assert.equal(header, Buffer.byteLength(text) < 126 ? 2 : Buffer.byteLength(text) < 65_536 ? 4 : 10);
      assert.equal(frames.toString("utf8", at + header, at + header + length), text);
      at += header + length;
    }
    assert.equal(at, frames.length);
  });
});
