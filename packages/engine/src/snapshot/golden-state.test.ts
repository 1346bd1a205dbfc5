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

/** LOG-6: one folder of files for each rules version. They never change: a new version gets its own. */
for (const version of [3, 4]) {
  const golden = JSON.parse(read(`rules-${version}/golden-state.json`)) as GoldenState;
  const snapshot = Buffer.from(golden.snapshot_base64.join(""), "base64");
  const state = goldenState(version);

  describe(`golden state of rules version ${version}`, () => {
    it("LOG-6, INV-6: the same state gives the bytes and the hash that it always gave", () => {
      assert.deepEqual(Buffer.from(writeSnapshot(state)), snapshot);
      assert.equal(stateHash(state), golden.hash);
    });

    it("LOG-6, INV-6: an old snapshot is read, and written with the same bytes", () => {
      const engine = readSnapshot(snapshot);
      assert.equal(engine.state.rulesVersion, version);
      assert.deepEqual(Buffer.from(writeSnapshot(engine.state)), snapshot);
      assert.equal(stateHash(engine.state), golden.hash);
    });

    it("its dump is the text that it always was", () => {
      assert.equal(dumpState(state, { maxRows: 6 }), read(`rules-${version}/golden-dump.txt`));
      assert.equal(createHash("sha256").update(dumpState(state)).digest("hex"), golden.dump_sha256);
    });
  });
}
