import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TextCache } from "./text-cache.ts";

describe("the cache of texts", () => {
  const textOf = (length: number) => async () => Buffer.alloc(length, "x");
  const never = async (): Promise<Buffer> => {
    throw new Error("it is there");
  };

  it("gives a text as long as its state is the same", async () => {
    const cache = new TextCache({ limit_bytes: 100, worthKeeping_bytes: 10 });
    const first = await cache.get("a", "1", textOf(20));
    assert.equal(await cache.get("a", "1", never), first);
    assert.equal((await cache.get("a", "2", textOf(30))).length, 30);
    assert.equal((await cache.get("a", "2", never)).length, 30);
  });

  it("keeps no short texts and none that are too long", async () => {
    const cache = new TextCache({ limit_bytes: 100, worthKeeping_bytes: 10 });
    for (const length of [9, 101]) {
      await cache.get("a", "1", textOf(length));
      await assert.rejects(cache.get("a", "1", never), /it is there/);
    }
  });

  it("lets go of what was used longest ago", async () => {
    const cache = new TextCache({ limit_bytes: 100, worthKeeping_bytes: 10 });
    await cache.get("a", "1", textOf(40));
    await cache.get("b", "1", textOf(40));
    await cache.get("a", "1", never);
    await cache.get("c", "1", textOf(40));
    await cache.get("a", "1", never);
    await cache.get("c", "1", never);
    await assert.rejects(cache.get("b", "1", never), /it is there/);
  });

  it("forgets a text whose successor could not be made", async () => {
    const cache = new TextCache({ limit_bytes: 100, worthKeeping_bytes: 10 });
    await cache.get("a", "1", textOf(40));
    await assert.rejects(cache.get("a", "2", never), /it is there/);
    assert.equal((await cache.get("a", "2", textOf(50))).length, 50);
  });
});
