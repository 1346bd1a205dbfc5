import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EngineEvent } from "@bourse/engine";
import fc from "fast-check";
import type { Applied } from "../host/exchange.ts";
import { ProjectionQueue } from "./queue.ts";

const EVENT: EngineEvent = { kind: "account_opened", account: 1 };

function applied(number: number, events = 1): Applied {
  return {
    number,
    time_ms: number,
    command: { kind: "advance_time", time_ms: number },
    events: Array.from({ length: events }, () => EVENT),
  };
}

async function* noLog(): AsyncGenerator<Applied> {
  yield* [];
  throw new Error("nothing was dropped");
}

const numbersOf = (taken: readonly Applied[]) => taken.map(({ number }) => number);

describe("projection queue", () => {
  it("gives what fits, at least one command, and never a part of one", async () => {
    const queue = new ProjectionQueue({ mostQueued: 1_000, reread: noLog });
    [3, 3, 50, 1, 0, 0].forEach((events, place) => {
      queue.push(applied(place + 1, events));
    });
    assert.deepEqual(numbersOf(await queue.take(10)), [1, 2]);
    assert.deepEqual(numbersOf(await queue.take(10)), [3]);
    assert.deepEqual(numbersOf(await queue.take(2)), [4, 5]);
    assert.deepEqual(numbersOf(await queue.take(10)), [6]);
    assert.deepEqual(await queue.take(10), []);
    assert.equal(queue.isEmpty, true);
  });

  it("drops what is beyond its bound and reads it again, however often that happens", async () => {
    const plan = fc.record({
      mostQueued: fc.integer({ min: 1, max: 30 }),
      steps: fc.array(fc.record({ pushed: fc.nat(20), most: fc.integer({ min: 1, max: 12 }), fails: fc.boolean() })),
    });
    const check = fc.asyncProperty(plan, async ({ mostQueued, steps }) => {
      const log: Applied[] = [];
      let isAway = false;
      let weight = 0;
      const reread = async function* (from: number, to: number) {
        for (const one of log.slice(from - 1, to)) {
          if (isAway) throw new Error("the log is away");
          yield one;
        }
      };
      const queue = new ProjectionQueue({ mostQueued, reread });
      const taken: Applied[] = [];
      const take = async (most: number) => {
        const batch = await queue.take(most).catch(() => []);
        assert.ok(batch.length <= most);
        taken.push(...batch);
      };
      for (const { pushed, most, fails } of steps) {
        for (let count = 0; count < pushed; count += 1) {
          const one = applied(log.length + 1, (log.length * 7) % 4);
          log.push(one);
          queue.push(one);
        }
        weight = [...queue.inMemory()].reduce((sum, { events }) => sum + 1 + events.length, 0);
        assert.ok(weight <= Math.max(mostQueued, 4));
        isAway = fails;
        await take(most);
      }
      isAway = false;
      while (!queue.isEmpty) await take(5);
      assert.deepEqual(taken, log);
    });
    await fc.assert(check, { numRuns: 200, seed: 20260301 });
  });

  it("a log that skips or ends too early is an error, and nothing of it is handed out", async () => {
    const answers = [[applied(3)], [applied(2)], [applied(2), applied(3), applied(4)]];
    const reread = async function* () {
      yield* answers.shift() ?? [];
    };
    const queue = new ProjectionQueue({ mostQueued: 2, reread });
    for (const number of [1, 2, 3, 4]) queue.push(applied(number));
    assert.deepEqual(numbersOf(await queue.take(10)), [1]);
    await assert.rejects(queue.take(10), /gave command 3 in place of 2/);
    await assert.rejects(queue.take(10), /ends before command 3/);
    assert.deepEqual(numbersOf(await queue.take(10)), [2, 3, 4]);
    assert.equal(queue.isEmpty, true);
  });
});
