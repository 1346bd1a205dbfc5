import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import {
  allowsOnlyReducing,
  answerBonusEvent,
  BONUS_EVENTS,
  BONUS_STATES,
  type BonusEvent,
  type BonusState,
  renderBonusTable,
} from "./bonus-states.ts";

const DOCUMENT = new URL("../../../../docs/rules/engine-arithmetic.md", import.meta.url);
const RUNNING: readonly BonusState[] = ["active", "frozen", "expired_pending"];

/** The next state, or the reason of a refusal. */
function outcome(state: BonusState, event: BonusEvent): string {
  const answer = answerBonusEvent(state, event);
  return answer.kind === "move" ? answer.next : answer.reason;
}

function effectsOf(state: BonusState, event: BonusEvent): readonly string[] {
  const answer = answerBonusEvent(state, event);
  assert.ok(answer.kind === "move");
  return answer.effects;
}

test("BON-9, BON-10: every state has an answer to every event", () => {
  let pairs = 0;
  for (const state of BONUS_STATES) {
    for (const event of BONUS_EVENTS) {
      const answer = answerBonusEvent(state, event);
      pairs += 1;
      if (answer.kind === "refusal") assert.match(answer.reason, /^[a-z_]+$/);
      else assert.ok(BONUS_STATES.includes(answer.next), `${state} × ${event}`);
    }
  }
  assert.equal(pairs, 50);
});

test("BON-9: the transitions of the interface's table", () => {
  assert.equal(outcome("none", "grant"), "active");
  assert.deepEqual(effectsOf("none", "grant"), ["credit_bonus", "start_clock"]);
  assert.equal(outcome("active", "expiry_with_positions"), "expired_pending");
  assert.deepEqual(effectsOf("active", "expiry_with_positions"), ["cancel_orders", "return_free_bonus"]);
  assert.equal(outcome("active", "expiry_flat"), "recalled");
  assert.equal(outcome("active", "last_position_closed"), "recalled");
  assert.deepEqual(effectsOf("active", "last_position_closed"), ["cancel_orders", "return_bonus"]);
  assert.equal(outcome("active", "freeze"), "frozen");
  assert.equal(outcome("active", "recall_unlocked"), "recalled");
  assert.equal(outcome("active", "recall_locked"), "bonus_locked");
  assert.equal(outcome("active", "grant"), "already_has_bonus");
});

test("BON-10: a frozen account can be unfrozen and recalled, and expires like an active one", () => {
  assert.equal(outcome("frozen", "unfreeze"), "active");
  assert.deepEqual(effectsOf("frozen", "unfreeze"), [], "the clock runs on");
  assert.equal(outcome("frozen", "freeze"), "already_frozen");
  const endings: BonusEvent[] = [
    "recall_unlocked",
    "recall_locked",
    "expiry_flat",
    "expiry_with_positions",
    "last_position_closed",
  ];
  for (const event of endings) {
    assert.deepEqual(answerBonusEvent("frozen", event), answerBonusEvent("active", event));
  }
});

test("BON-9: after the grace the positions are closed, and closing the last one ends it", () => {
  assert.equal(outcome("expired_pending", "grace_over"), "expired_pending");
  assert.deepEqual(effectsOf("expired_pending", "grace_over"), ["close_positions"]);
  assert.equal(outcome("expired_pending", "last_position_closed"), "recalled");
  assert.equal(outcome("expired_pending", "unfreeze"), "not_frozen");
  assert.equal(outcome("expired_pending", "expiry_flat"), "already_expired");
});

test("BON-9: a consumed bonus is over in every running state, with nothing to return", () => {
  for (const state of RUNNING) {
    assert.equal(outcome(state, "bonus_consumed"), "recalled");
    assert.deepEqual(effectsOf(state, "bonus_consumed"), []);
  }
});

test("BON-9: without a bonus, timers and closings change nothing and requests of admins are refused", () => {
  for (const state of ["none", "recalled"] as const) {
    for (const event of [
      "expiry_flat",
      "expiry_with_positions",
      "last_position_closed",
      "grace_over",
      "bonus_consumed",
    ] as const) {
      assert.equal(outcome(state, event), state);
      assert.deepEqual(effectsOf(state, event), []);
    }
    for (const event of ["freeze", "unfreeze", "recall_unlocked", "recall_locked"] as const) {
      assert.equal(outcome(state, event), "no_bonus");
    }
  }
});

test("BON-9, BON-10: frozen and expired accounts may only reduce", () => {
  assert.deepEqual(BONUS_STATES.filter(allowsOnlyReducing), ["frozen", "expired_pending"]);
});

test("INV-3: in any sequence of events a bonus is credited only if there is none and returns before it ends", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...BONUS_EVENTS), { maxLength: 40 }), (events) => {
      let state: BonusState = "none";
      for (const event of events) {
        const answer = answerBonusEvent(state, event);
        if (answer.kind === "refusal") continue;
        const wasRunning = RUNNING.includes(state);
        const isRunning = RUNNING.includes(answer.next);
        assert.equal(answer.effects.includes("credit_bonus"), !wasRunning && isRunning);
        if (wasRunning && !isRunning) {
          assert.equal(answer.effects.includes("return_bonus"), event !== "bonus_consumed");
        }
        if (state === "expired_pending") assert.ok(answer.next !== "active" && answer.next !== "frozen");
        state = answer.next;
      }
    }),
  );
});

test("BON-9: the table in the documentation is this table", () => {
  assert.ok(readFileSync(DOCUMENT, "utf8").includes(renderBonusTable()), "docs/rules/engine-arithmetic.md is behind");
});
