import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ManualClock, MovableClock } from "./clock.ts";
import { randomAlphanumeric, randomUuid, seededRandom, systemRandom } from "./random.ts";

describe("clock and randomness", () => {
  it("RUN-9: the development clock moves forward only, and then runs on with real time", () => {
    const base = new ManualClock(1_000);
    const clock = new MovableClock(0, base);
    clock.advanceTo(5_000);
    assert.equal(clock.now(), 5_000);
    base.advance(10);
    assert.equal(clock.now(), 5_010);
    clock.advanceTo(3_000);
    assert.equal(clock.now(), 5_010);
    assert.equal(new MovableClock(clock.offset_ms, base).now(), 5_010);
    assert.throws(() => base.advance(-1), RangeError);
  });

  it("RUN-9: seeded randomness repeats itself, other seeds differ", () => {
    assert.deepEqual(seededRandom("a").bytes(100), seededRandom("a").bytes(100));
    assert.notDeepEqual(seededRandom("a").bytes(32), seededRandom("b").bytes(32));
    const random = seededRandom("a");
    assert.notDeepEqual(random.bytes(32), random.bytes(32));
  });

  it("SEC-4: random text has the length asked for and uses all letters and digits", () => {
    const text = randomAlphanumeric(systemRandom, 20_000);
    assert.equal(text.length, 20_000);
    assert.match(text, /^[A-Za-z0-9]+$/);
    assert.equal(new Set(text).size, 62);
    assert.match(randomUuid(systemRandom), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
