import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyedQueue } from "./keyed-queue.ts";

test("tasks of one key take turns in order, other keys do not wait", async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run("a", async () => {
    log.push("a1 starts");
    await gate.promise;
    log.push("a1 ends");
    return 1;
  });
  const second = queue.run("a", async () => log.push("a2"));
  const third = queue.run("a", async () => log.push("a3"));
  await queue.run("b", async () => log.push("b"));
  assert.deepEqual(log, ["a1 starts", "b"]);
  gate.resolve();
  assert.equal(await first, 1);
  await Promise.all([second, third]);
  assert.deepEqual(log, ["a1 starts", "b", "a1 ends", "a2", "a3"]);
});

test("a task that fails lets the next one run", async () => {
  const queue = new KeyedQueue();
  const failing = queue.run("a", () => Promise.reject(new Error("no")));
  const next = queue.run("a", async () => "yes");
  await assert.rejects(failing, /no/);
  assert.equal(await next, "yes");
});
