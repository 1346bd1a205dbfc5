import assert from "node:assert/strict";
import { test } from "node:test";
import { type ConnectionEvent, type ConnectionState, retryPause_ms, transitionOf } from "./connection-machine.ts";

/** Where a series of events leads, and what is done on the way. */
function walk(start: ConnectionState, events: readonly ConnectionEvent[]) {
  const actions: string[] = [];
  let state = start;
  for (const event of events) {
    const { to, action } = transitionOf(state, event);
    state = to;
    if (action !== undefined) actions.push(action);
  }
  return { state, actions };
}

test("a socket is opened when it is wanted, and again after it was lost", () => {
  assert.deepEqual(walk("idle", ["wanted", "opened"]), { state: "open", actions: ["connect"] });
  assert.deepEqual(walk("open", ["lost", "due", "lost", "due", "opened"]), {
    state: "open",
    actions: ["wait", "connect", "wait", "connect"],
  });
});

test("a page that wakes up does not wait, and doubts the socket that it has", () => {
  assert.deepEqual(walk("waiting", ["woken"]), { state: "connecting", actions: ["connect"] });
  assert.deepEqual(walk("open", ["woken"]), { state: "open", actions: ["probe"] });
  assert.deepEqual(walk("connecting", ["woken"]), { state: "connecting", actions: [] });
});

test("nothing is done for nobody", () => {
  for (const state of ["connecting", "open", "waiting"] as const) {
    assert.deepEqual(walk(state, ["unwanted"]), { state: "idle", actions: ["drop"] });
  }
  assert.deepEqual(walk("idle", ["due", "lost", "opened", "woken", "unwanted"]), { state: "idle", actions: [] });
});

test("a second wish for what is there already changes nothing", () => {
  for (const state of ["connecting", "open", "waiting"] as const) {
    assert.deepEqual(walk(state, ["wanted"]), { state, actions: [] });
  }
});

test("the first tries come within a second, later ones never further apart than five", () => {
  assert.equal(retryPause_ms(0, 0), 200);
  assert.equal(retryPause_ms(0, 1), 400);
  assert.ok(retryPause_ms(1, 1) <= 1_000);
  assert.equal(retryPause_ms(1_000, 1), 5_000);
  for (let tries = 1; tries < 20; tries += 1) assert.ok(retryPause_ms(tries, 0.5) >= retryPause_ms(tries - 1, 0.5));
});
