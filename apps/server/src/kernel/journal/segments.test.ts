import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { OLDEST_RULES } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { HEADER_bytes } from "./log-format.ts";
import { continueSegment, createSegment, journalFolder, segmentPath } from "./segments.ts";

const HEADER = { firstNumber: 1, rulesVersion: OLDEST_RULES, chain: undefined };
/** Around the size from which on a write is followed by a sync. */
const SIZES = [1, 16_383, 16_384, 40, 200_000, 3];

describe("a segment's file", () => {
  for (const isCopy of [false, true]) {
    it(`FUT-1: has small and large groups one behind the other, also after it was continued${isCopy ? "; as a copy" : ""}`, async (t) => {
      const folder = await makeTempDir(t);
      mkdirSync(journalFolder(folder));
      const groups = SIZES.map((size, place) => Buffer.alloc(size, place + 1));
      const created = await createSegment(folder, HEADER, { isCopy });
      for (const group of groups) await created.append(group);
      await created.close();
      const path = segmentPath(folder, 1);
      const continued = await continueSegment(path, created.size_bytes, { isCopy });
      for (const group of groups) await continued.append(group);
      await continued.close();
      assert.deepEqual(readFileSync(path).subarray(HEADER_bytes), Buffer.concat([...groups, ...groups]));
      assert.equal(continued.size_bytes, readFileSync(path).length);
    });
  }
});
