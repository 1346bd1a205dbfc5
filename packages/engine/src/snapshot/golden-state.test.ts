import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { dumpState } from "./dump.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";
import { stateHash } from "./state-hash.ts";
import { goldenState } from "./testing/golden-state.ts";

interface GoldenState {
  readonly hash: string;
  readonly dump_sha256: string;
  readonly snapshot_base64: readonly string[];
}

const read = (name: string) => readFileSync(new URL(`testing/${name}`, import.meta.url), "utf8");
const GOLDEN = JSON.parse(read("golden-state.json")) as GoldenState;
const SNAPSHOT = Buffer.from(GOLDEN.snapshot_base64.join(""), "base64");
const state = goldenState();

/** The files change only together with SNAPSHOT_FORMAT or ENGINE_VERSION. */
describe("golden state", () => {
  it("INV-6: the same state gives the bytes and the hash that it always gave", () => {
    assert.deepEqual(Buffer.from(writeSnapshot(state)), SNAPSHOT);
    assert.equal(stateHash(state), GOLDEN.hash);
  });

  it("INV-6: an old snapshot is read, and written with the same bytes", () => {
    const engine = readSnapshot(SNAPSHOT);
    assert.deepEqual(Buffer.from(writeSnapshot(engine.state)), SNAPSHOT);
    assert.equal(stateHash(engine.state), GOLDEN.hash);
  });

  it("its dump is the text that it always was", () => {
    assert.equal(dumpState(state, { maxRows: 6 }), read("golden-dump.txt"));
    assert.equal(createHash("sha256").update(dumpState(state)).digest("hex"), GOLDEN.dump_sha256);
  });
});
