import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Command } from "../contract/commands.ts";
import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { decodeCommand, encodeCommand } from "./command-codec.ts";

/**
 * Commands of every kind with their bytes in journals of codec version 1: one with a distinct number in each field,
 * three with values at the limits. Journals outlive programs, so this file never changes.
 */
const GOLDEN = readFileSync(new URL("testing/golden-commands.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const space = line.indexOf(" ");
    return { hex: line.slice(0, space), command: JSON.parse(line.slice(space + 1)) as Command };
  });

describe("golden commands", () => {
  for (const kind of new Set(GOLDEN.map(({ command }) => command.kind))) {
    it(`INV-6: every ${kind} of an old journal is read, and written with the same bytes`, () => {
      const own = GOLDEN.filter(({ command }) => command.kind === kind);
      assert.equal(own.length, 4);
      for (const { hex, command } of own) {
        const writer = new ByteWriter();
        encodeCommand(command, writer);
        assert.equal(Buffer.from(writer.bytes).toString("hex"), hex);
        const reader = new ByteReader(Buffer.from(hex, "hex"));
        assert.deepStrictEqual(decodeCommand(reader), command);
        assert.equal(reader.remaining, 0);
      }
    });
  }
});
