import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ManualClock } from "../kernel/clock.ts";
import { FreshValues } from "./fresh-values.ts";

function create({ limit = 3, timeout_ms = 60_000 } = {}) {
  const clock = new ManualClock(1_000);
  return { clock, values: new FreshValues<string>({ clock, limit, timeout_ms, freshFor_ms: 15_000 }) };
}

describe("fresh values", () => {
  it("REF-2: a value serves for fifteen seconds, then it is read again", async () => {
    const { clock, values } = create();
    let reads = 0;
    const get = () => values.get("a", async () => `read ${++reads}`);
    assert.equal(await get(), "read 1");
    clock.advance(14_999);
    assert.equal(await get(), "read 1");
    clock.advance(1);
    assert.equal(await get(), "read 2");
  });

  it("REF-2: the time counts from when it was asked for, not from the answer", async () => {
    const { clock, values } = create();
    const answer = Promise.withResolvers<string>();
    const first = values.get("a", () => answer.promise);
    clock.advance(10_000);
    answer.resolve("old");
    assert.equal(await first, "old");
    clock.advance(5_000);
    assert.equal(await values.get("a", async () => "new"), "new");
  });

  it("REF-2: those who ask while a read is under way share it, success or failure", async () => {
    const { values } = create();
    let reads = 0;
    let answer = Promise.withResolvers<string>();
    const get = () => {
      return values.get("a", () => {
        reads += 1;
        return answer.promise;
      });
    };
    const failing = [get(), get(), get()];
    answer.reject(new Error("away"));
    for (const one of await Promise.allSettled(failing)) assert.equal(one.status, "rejected");
    assert.equal(reads, 1);
    answer = Promise.withResolvers<string>();
    const passing = [get(), get()];
    answer.resolve("there");
    assert.deepEqual(await Promise.all(passing), ["there", "there"]);
    assert.equal(reads, 2, "the failure was not kept");
  });

  it("keys do not wait for each other", async () => {
    const { values } = create();
    const slow = Promise.withResolvers<string>();
    const waiting = values.get("a", () => slow.promise);
    assert.equal(await values.get("b", async () => "b"), "b");
    slow.resolve("a");
    assert.equal(await waiting, "a");
  });

  it("what takes too long fails, is not kept, and its late answer is ignored", async () => {
    const { values } = create({ timeout_ms: 1 });
    const late = Promise.withResolvers<string>();
    await assert.rejects(
      values.get("a", () => late.promise),
      /^Error: no answer within 1 ms$/,
    );
    late.resolve("late");
    await late.promise;
    assert.equal(values.size, 0);
    assert.equal(await values.get("a", async () => "new"), "new");
  });

  it("no more than the limit is kept; the oldest makes room", async () => {
    const { values } = create();
    for (const key of ["a", "b", "c", "d"]) await values.get(key, async () => key);
    assert.equal(values.size, 3);
    assert.equal(await values.get("b", async () => "read again"), "b");
    assert.equal(await values.get("a", async () => "read again"), "read again");
    assert.equal(values.size, 3);
  });

  it("what is dropped is read again, also where a read was under way", async () => {
    const { values } = create();
    await values.get("a", async () => "old a");
    await values.get("b", async () => "old b");
    const answer = Promise.withResolvers<string>();
    const underWay = values.get("c", () => answer.promise);
    values.drop((value, key) => value === "old a" && key === "a");
    answer.resolve("old c");
    assert.equal(await underWay, "old c");
    for (const [key, expected] of [
      ["a", "new"],
      ["b", "old b"],
      ["c", "new"],
    ] as const) {
      assert.equal(await values.get(key, async () => "new"), expected);
    }
  });
});
