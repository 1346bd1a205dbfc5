import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NotYet, poll } from "./waiting.ts";

const options = { interval_ms: 10, timeout_ms: 5_000, late: "not seen yet", signal: new AbortController().signal };

describe("waiting for something to show", () => {
  it("looks at once, and again until it is there", async () => {
    let looks = 0;
    const found = await poll(async () => (++looks === 2 ? "there" : undefined), options);
    assert.deepEqual([found, looks], ["there", 2]);
  });

  it("says what is late, and stops when it is told to", async () => {
    const nothing = async () => undefined;
    await assert.rejects(poll(nothing, { ...options, timeout_ms: 1 }), new NotYet("not seen yet"));
    const control = new AbortController();
    const waiting = poll(nothing, { ...options, signal: control.signal });
    control.abort(new Error("closed"));
    await assert.rejects(waiting, /closed/);
  });
});
