import assert from "node:assert/strict";
import { test } from "node:test";
import { BONUS_STATES, type BonusState, type EngineEvent } from "@bourse/engine";
import type { AppliedListener, Exchange } from "../../exchange/host/exchange.ts";
import { DAY_ms, HOUR_ms } from "../../kernel/dates.ts";
import { BonusTimers } from "./timers.ts";

/** The parts of an exchange that the timers read, with these accounts from the start. */
function exchangeWith(bonuses: readonly (readonly [BonusState, number])[]) {
  let listener: AppliedListener = () => {};
  const accounts = {
    count: bonuses.length,
    bonusState: (account: number) => BONUS_STATES.indexOf(bonuses[account - 1]?.[0] ?? "none"),
    expires_ms: (account: number) => bonuses[account - 1]?.[1] ?? 0,
  };
  const exchange = {
    engine: { state: { accounts } },
    listen: (heard: AppliedListener) => {
      listener = heard;
    },
  };
  const say = (account: number, state: BonusState, expires_ms: number) => {
    const events = [{ kind: "bonus_state_set", account, state, expires_ms }] as EngineEvent[];
    listener({ number: 1, time_ms: 0, command: { kind: "advance_time", time_ms: 0 }, events });
  };
  return { timers: new BonusTimers(exchange as unknown as Exchange), say };
}

test("BON-9: warnings, expiry and the end of the grace are moments of their own", () => {
  const expires_ms = 100 * DAY_ms;
  const { timers, say } = exchangeWith([]);
  assert.equal(timers.nextAfter(0), undefined);
  say(1, "active", expires_ms);
  const moments = [expires_ms - DAY_ms, expires_ms - HOUR_ms, expires_ms];
  let after_ms = 0;
  for (const moment_ms of moments) {
    assert.equal(timers.nextAfter(after_ms), moment_ms);
    assert.equal(timers.nextAfter(after_ms), moment_ms, "asked twice");
    after_ms = moment_ms;
  }
  assert.equal(timers.nextAfter(after_ms), undefined);
  say(1, "expired_pending", expires_ms);
  assert.equal(timers.nextAfter(after_ms), expires_ms + 7 * DAY_ms);
  say(1, "recalled", expires_ms);
  assert.equal(timers.nextAfter(after_ms), undefined);
});

test("BON-9: bonuses that are there at the start have their clocks; a freeze stops none", () => {
  const { timers, say } = exchangeWith([
    ["active", 20 * DAY_ms],
    ["none", 0],
    ["frozen", 10 * DAY_ms],
    ["recalled", 1 * DAY_ms],
    ["expired_pending", 5 * DAY_ms],
  ]);
  assert.equal(timers.nextAfter(0), 9 * DAY_ms);
  assert.equal(timers.nextAfter(10 * DAY_ms), 12 * DAY_ms);
  assert.deepEqual(timers.expiring(10 * DAY_ms - 1), []);
  assert.deepEqual(
    timers.expiring(30 * DAY_ms).map(({ account }) => account),
    [3, 1],
    "the longest due first",
  );
  assert.deepEqual(timers.closing(12 * DAY_ms - 1), []);
  assert.deepEqual(
    timers.closing(12 * DAY_ms).map(({ account }) => account),
    [5],
  );
  say(3, "active", 10 * DAY_ms);
  assert.equal(timers.expiring(10 * DAY_ms).length, 1);
  say(3, "expired_pending", 10 * DAY_ms);
  assert.equal(timers.expiring(10 * DAY_ms).length, 0);
});
