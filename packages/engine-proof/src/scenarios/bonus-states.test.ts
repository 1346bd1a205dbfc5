import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answerBonusEvent, BONUS_EVENTS, BONUS_STATES, type BonusEvent, type BonusState } from "@bourse/engine";
import type { Answer } from "./answer.ts";
import { DAY_ms, earlierExchange, TestExchange } from "./exchange.ts";

/** Ann trades without fees and has 100 of principal; Bob is rich. BTC at 60,000. */
function floor(x: TestExchange): TestExchange {
  x.price(60_000);
  x.trader("bob", 10_000_000);
  x.trader("ann", 100);
  x.discount("ann", 10_000);
  return x;
}

/** What Ann is granted, and whether she holds a position, for events that need one. */
interface Scene {
  readonly bonus: number;
  readonly hasPosition: boolean;
}

const hold = (x: TestExchange, { hasPosition }: Scene) => {
  if (hasPosition) x.trade("ann", "bob", 0.005, 60_000);
};

/** Brings Ann into a state. */
const into: Readonly<Record<BonusState, (x: TestExchange, scene: Scene) => void>> = {
  none: (x, scene) => hold(x, scene),
  active: (x, scene) => {
    x.grant("ann", scene.bonus);
    hold(x, scene);
  },
  frozen: (x, scene) => {
    x.grant("ann", scene.bonus);
    hold(x, scene);
    x.freeze("ann");
  },
  expired_pending: (x, { bonus }) => {
    x.grant("ann", bonus);
    hold(x, { bonus, hasPosition: true });
    x.advance(7 * DAY_ms);
    x.expire("ann");
  },
  recalled: (x, scene) => {
    x.grant("ann", scene.bonus);
    x.recall("ann");
    hold(x, scene);
  },
};

/** Each event as a command that causes it; undefined if no command can cause it in that state. */
const events: Readonly<Record<BonusEvent, (x: TestExchange, state: BonusState) => Answer | undefined>> = {
  grant: (x) => x.grant("ann", 50),
  freeze: (x) => x.freeze("ann"),
  unfreeze: (x) => x.unfreeze("ann"),
  recall_unlocked: (x, state) => (state === "expired_pending" ? undefined : x.recall("ann")),
  recall_locked: (x) => x.recall("ann"),
  expiry_flat: (x, state) => {
    if (state === "expired_pending") return undefined;
    x.advance(7 * DAY_ms);
    return x.expire("ann");
  },
  expiry_with_positions: (x) => {
    x.advance(7 * DAY_ms);
    return x.expire("ann");
  },
  last_position_closed: (x) => {
    x.buy("bob", 0.005, { at: 60_000 });
    return x.sell("ann", 0.005, { at: 60_000, reduceOnly: true });
  },
  grace_over: (x) => {
    x.advance(14 * DAY_ms);
    return x.closeExpired("ann");
  },
  bonus_consumed: (x) => {
    // A loss of 50, of which a bonus of 10 pays 10.
    x.price(50_000);
    x.buy("bob", 0.005, { at: 50_000 });
    return x.sell("ann", 0.005, { at: 50_000, reduceOnly: true });
  },
};

const NEEDS_POSITION: ReadonlySet<BonusEvent> = new Set([
  "recall_locked",
  "expiry_with_positions",
  "last_position_closed",
  "bonus_consumed",
]);
const stateAfter = (x: TestExchange): BonusState => x.account("ann").state;

describe("BON-9, BON-10: every state and every event of the table, by commands to the engine", () => {
  let walked = 0;
  for (const state of BONUS_STATES) {
    for (const event of BONUS_EVENTS) {
      it(`${state} × ${event}`, () => {
        // From version 5 on the other side takes what the book does not: the position ends with the same command.
        const x = floor(event === "grace_over" ? earlierExchange() : new TestExchange());
        into[state](x, { bonus: event === "bonus_consumed" ? 10 : 100, hasPosition: NEEDS_POSITION.has(event) });
        assert.equal(stateAfter(x), state, "the scene is set");
        const answer = events[event](x, state);
        if (answer === undefined) return;
        walked += 1;
        const expected = answerBonusEvent(state, event);
        if (expected.kind === "refusal") {
          assert.equal(answer.refusal, expected.reason);
          assert.equal(stateAfter(x), state, "a refusal changes nothing");
        } else {
          assert.equal(answer.refusal, "");
          assert.equal(stateAfter(x), expected.next);
        }
      });
    }
  }

  it("all but two of the 50 pairs can be brought about: an expired bonus is never flat, and all of it is locked", () =>
    assert.equal(walked, 48));
});
