import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pino } from "pino";
import { ManualClock } from "../../kernel/clock.ts";
import { seededRandom } from "../../kernel/random.ts";
import { START_ms } from "../testing/chains.ts";
import { ChainFollower, type SyncStep } from "./follower.ts";
import { indexerCheck } from "./index-watch.ts";
import type { Indexer, SyncReport } from "./indexer.ts";

const REPORT: SyncReport = { head_block: 9, indexed_block: 9, events: 1, undone_events: 0, rewinds: 0 };

/** A follower of a scripted indexer. */
function follow(look: () => Promise<SyncReport>, steps: readonly SyncStep[] = []) {
  const clock = new ManualClock(START_ms);
  let looks = 0;
  const indexer = {
    sync: () => {
      looks += 1;
      return look();
    },
  } as unknown as Indexer;
  const options = { clock, random: seededRandom("follower"), log: pino({ level: "silent" }), steps };
  return { clock, follower: new ChainFollower(indexer, options), looks: () => looks };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("when the indexer looks", () => {
  it("ERN-9: after a failure it pauses, longer each time and never in step, and then looks again", async () => {
    let isAway = true;
    const { clock, follower, looks } = follow(async () => {
      if (isAway) throw new Error("nobody answers");
      return REPORT;
    });
    const pauses: number[] = [];
    await assert.rejects(follower.poll(), /nobody answers/);
    for (let failure = 1; failure <= 10; failure += 1) {
      let waited_ms = 0;
      // Until the pause is over, the failure is repeated and the node is not queried.
      for (; looks() === failure; waited_ms += 50) {
        clock.advance(50);
        await assert.rejects(follower.poll(), /nobody answers/);
      }
      pauses.push(waited_ms);
    }
    assert.ok(pauses[0]! >= 500 && pauses[0]! <= 1_050, String(pauses));
    for (const pause of pauses) assert.ok(pause <= 120_050, String(pauses));
    assert.ok(pauses.at(-1)! >= 60_000, String(pauses));
    assert.ok(
      pauses.some((pause) => pause % 1_000 !== 0),
      "they are no round numbers",
    );
    await assert.rejects(indexerCheck(follower, clock).run(), /nobody answers/);
    isAway = false;
    assert.equal((await follower.sync())["indexed_block"], 9);
    assert.equal(await indexerCheck(follower, clock).run(), "applied up to block 9 of 9, looked at 0 s ago");
  });

  it("it is past a moment once nothing is unread, or once it has read a later block", async () => {
    let report = REPORT;
    const { clock, follower, looks } = follow(async () => report);
    const now_ms = clock.now();
    const block = (number: number, time_ms: number) => follower.advanced({ number, hash: "0x01", time_ms }, number);
    assert.equal(await follower.isPast(now_ms), true, "the last block is read, however old it is");
    report = { ...REPORT, head_block: 12 };
    assert.equal(await follower.isPast(now_ms), false, "nothing is known of what was read");
    block(9, now_ms - 1);
    assert.equal(await follower.isPast(now_ms), false);
    block(10, now_ms);
    assert.equal(await follower.isPast(now_ms), false, "the next block may be of the same second");
    block(11, now_ms + 1);
    assert.equal(await follower.isPast(now_ms), true);
    report = { ...REPORT, indexed_block: null };
    assert.equal(await follower.isPast(now_ms + 5), true, "before the first block of interest nothing has happened");
    assert.equal(looks(), 6, "it looks each time");
  });

  it("a chain that does not answer is not past anything", async () => {
    const { follower, clock } = follow(async () => {
      throw new Error("nobody answers");
    });
    await assert.rejects(follower.isPast(clock.now()), /nobody answers/);
  });

  it("notices while it looks bring one more look, not one each", async () => {
    let held = Promise.withResolvers<SyncReport>();
    const { follower, looks } = follow(() => held.promise);
    follower.notify();
    follower.notify();
    follower.notify();
    assert.equal(looks(), 1);
    const first = held;
    held = Promise.withResolvers();
    first.resolve(REPORT);
    for (let waited = 0; waited < 100 && looks() < 2; waited += 1) await turn();
    assert.equal(looks(), 2);
    held.resolve(REPORT);
    await follower.stop();
    assert.equal(looks(), 2);
  });

  it("steps come after the events, each although another one fails, and the job then fails", async () => {
    const order: string[] = [];
    const step = (name: string, outcome: () => unknown): SyncStep => ({
      name,
      run: async () => {
        order.push(name);
        return outcome();
      },
    });
    const fail = () => {
      throw new Error("not now");
    };
    const { follower } = follow(async () => {
      order.push("events");
      return REPORT;
    }, [step("first", fail), step("second", () => 2)]);
    await assert.rejects(follower.sync(), /first: not now/);
    assert.deepEqual(order, ["events", "first", "second"]);
    assert.equal(follower.lastError, undefined, "the chain itself was read");
  });

  it("whoever waits for a block hears of it once it is applied, or that it takes too long", async () => {
    const { follower } = follow(async () => REPORT);
    const waiting = follower.reached(7, 60_000);
    follower.advanced({ number: 6, hash: "0x", time_ms: 0 }, 9);
    follower.advanced({ number: 8, hash: "0x", time_ms: 0 }, 9);
    assert.equal(await waiting, true);
    assert.equal(await follower.reached(8, 1), true);
    assert.equal(await follower.reached(10, 1), false);
  });
});
