import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { ByteReader, ByteWriter } from "@bourse/engine";
import { readFact, writeFact } from "./fact-codec.ts";
import type { ShownFact } from "./private-facts.ts";

/** Facts beside the bytes that stand for them in stored private events, which outlive programs: this file only grows. */
const GOLDEN = readFileSync(new URL("testing/golden-facts.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const space = line.indexOf(" ");
    return { hex: line.slice(0, space), fact: JSON.parse(line.slice(space + 1)) as ShownFact };
  });

describe("stored private events", () => {
  for (const kind of ["order", "conditional", "balance", "position", "tier", "bonus", "adl"]) {
    it(`FUT-18: every ${kind} that was stored is read, and written with the same bytes`, () => {
      const own = GOLDEN.filter(({ fact }) => fact.kind === kind);
      assert.notEqual(own.length, 0);
      for (const { hex, fact } of own) {
        const writer = new ByteWriter();
        writeFact(writer, fact);
        assert.equal(Buffer.from(writer.bytes).toString("hex"), hex);
        const reader = new ByteReader(Buffer.from(hex, "hex"));
        // What is undefined has no place in the file.
        assert.deepEqual(JSON.parse(JSON.stringify(readFact(reader))), fact);
        assert.equal(reader.remaining, 0);
      }
    });
  }
});
