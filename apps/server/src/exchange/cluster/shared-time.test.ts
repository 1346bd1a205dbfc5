import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ManualClock, MovableClock } from "../../kernel/clock.ts";
import { SharedTime } from "./shared-time.ts";

describe("the time of the engine that leads", () => {
  it("RUN-3: is never behind what another process said the time was", () => {
    const clock = new ManualClock(1_000_000);
    const time = new SharedTime(clock);
    assert.equal(time.hear(1_000_300), true);
    assert.equal(time.now(), 1_000_300);
    assert.equal(time.hear(999_000), true);
    assert.equal(time.now(), 1_000_300);
    clock.advance(500);
    assert.equal(time.now(), 1_000_500);
  });

  it("RUN-3: does not follow a clock that is wrong, nor what is no time", () => {
    const time = new SharedTime(new ManualClock(1_000_000));
    assert.equal(time.hear(1_005_001), false);
    assert.equal(time.hear(Number.NaN), false);
    assert.equal(time.now(), 1_000_000);
  });

  it("RUN-6: follows a clock that is moved on purpose", () => {
    const clock = new MovableClock(0, new ManualClock(1_000_000));
    const time = new SharedTime(clock);
    assert.equal(time.hear(90_000_000), true);
    assert.equal(time.now(), 90_000_000);
    assert.equal(clock.now(), 90_000_000);
  });
});
