import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_ms } from "../dates.ts";
import { BAN_LADDER_MS, Bans, REFUSALS_BEFORE_BAN } from "./bans.ts";

function setUp() {
  let now_ms = 1_000_000;
  const bans = new Bans(() => now_ms);
  const goOn = () => {
    let isBanned = false;
    for (let i = 0; i <= REFUSALS_BEFORE_BAN; i++) isBanned = bans.noteRefusal("203.0.113.9", 60_000);
    return isBanned;
  };
  return { bans, goOn, pass: (ms: number) => (now_ms += ms) };
}

describe("bans", () => {
  it("SEC-10: a few refusals are no ban, going on is", () => {
    const { bans } = setUp();
    for (let i = 0; i < REFUSALS_BEFORE_BAN; i++) assert.equal(bans.noteRefusal("203.0.113.9", 60_000), false);
    assert.equal(bans.remaining_ms("203.0.113.9"), 0);
    assert.equal(bans.noteRefusal("203.0.113.9", 60_000), true);
    assert.equal(bans.remaining_ms("203.0.113.9"), 120_000);
    assert.equal(bans.remaining_ms("203.0.113.10"), 0, "an address pays for itself alone");
  });

  it("SEC-10: refusals of an earlier window do not add up", () => {
    const { bans, pass } = setUp();
    for (let i = 0; i < REFUSALS_BEFORE_BAN; i++) bans.noteRefusal("203.0.113.9", 60_000);
    pass(60_000);
    assert.equal(bans.noteRefusal("203.0.113.9", 60_000), false);
  });

  it("SEC-10: bans climb 2 min, 10 min, 1 h, 1 d, 3 d and stay at the last", () => {
    const { bans, goOn, pass } = setUp();
    for (const length_ms of [...BAN_LADDER_MS, 3 * DAY_ms]) {
      assert.equal(goOn(), true);
      assert.equal(bans.remaining_ms("203.0.113.9"), length_ms);
      pass(length_ms);
      assert.equal(bans.remaining_ms("203.0.113.9"), 0);
    }
    assert.deepEqual(BAN_LADDER_MS, [120_000, 600_000, 3_600_000, DAY_ms, 3 * DAY_ms]);
  });

  it("SEC-10: each clean day takes one step off", () => {
    const { bans, goOn, pass } = setUp();
    for (const length_ms of BAN_LADDER_MS.slice(0, 3)) {
      goOn();
      pass(length_ms);
    }
    pass(2 * DAY_ms);
    goOn();
    assert.equal(bans.remaining_ms("203.0.113.9"), BAN_LADDER_MS[1]);
  });
});
