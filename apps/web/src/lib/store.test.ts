import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createStore } from "./store.ts";

describe("store", () => {
  it("tells its readers of a change, and only of a change", () => {
    const store = createStore(1);
    let heard = 0;
    const stop = store.subscribe(() => {
      heard += 1;
    });
    store.set(2);
    store.set(2);
    store.update((value) => value + 1);
    assert.equal(store.get(), 3);
    assert.equal(heard, 2);
    stop();
    store.set(9);
    assert.equal(heard, 2);
  });

  it("a reader that leaves while being told does not make another one miss it", () => {
    const store = createStore(0);
    const heard: string[] = [];
    const stopFirst = store.subscribe(() => {
      heard.push("first");
      stopFirst();
    });
    store.subscribe(() => heard.push("second"));
    store.set(1);
    assert.deepEqual(heard, ["first", "second"]);
  });
});
