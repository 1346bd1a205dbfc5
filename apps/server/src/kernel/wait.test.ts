import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answerWithin, sleep, within } from "./wait.ts";

const never = new Promise<string>(() => undefined);

describe("waiting no longer than a time", () => {
  it("gives what the work gives, and fails as the work fails", async () => {
    assert.equal(await within(Promise.resolve("done"), 60_000), "done");
    await assert.rejects(within(Promise.reject(new Error("broken")), 60_000), /broken/);
  });

  it("gives undefined once time is up", async () => {
    assert.equal(await within(never, 1), undefined);
  });

  it("throws the error given once time is up", async () => {
    await assert.rejects(
      within(never, 1, () => new Error("too slow")),
      /too slow/,
    );
    assert.equal(await within(Promise.resolve(1), 60_000, assert.fail), 1);
  });

  it("says how long it has waited for an answer", async () => {
    assert.equal(await answerWithin(Promise.resolve("yes"), 60_000), "yes");
    await assert.rejects(answerWithin(never, 3), { message: "no answer within 3 ms" });
  });
});

describe("sleeping", () => {
  it("ends after its time, or as soon as the signal is aborted", async () => {
    await sleep(1, new AbortController().signal);
    const stopping = new AbortController();
    const sleeping = sleep(60_000, stopping.signal);
    stopping.abort();
    await sleeping;
    await sleep(60_000, stopping.signal);
  });
});
