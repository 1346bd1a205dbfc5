import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type BonusWithLines, balanceOfGrant, heldOf, movesOf } from "./account-figures.ts";

const time = "2026-06-01T00:00:00.000Z";
const bonus = {
  amount: "500.00",
  bonus_free: "350.00",
  bonus_locked: "99.5",
  bonus_consumed: "0.500001",
  pool_lines: [
    { kind: "GRANT", amount: "500.00", command_number: 1, time },
    { kind: "RECALL", amount: "49.999999", command_number: 2, time },
  ],
} as unknown as BonusWithLines;

describe("where a bonus has gone", () => {
  it("adds up to the last unit", () => {
    const { returned, difference, addsUp } = balanceOfGrant(bonus);
    assert.deepEqual([returned, difference, addsUp], ["49.999999", "0", true]);
    assert.equal(heldOf(bonus).toString(), "449.5");
  });

  it("says by how much it does not", () => {
    const { difference, addsUp } = balanceOfGrant({ ...bonus, bonus_consumed: "0.500000" });
    assert.deepEqual([difference, addsUp], ["0.000001", false]);
  });
});

describe("BON-10: what can be done to a bonus", () => {
  const moves = (status: Parameters<typeof movesOf>[0]["status"], bonus_locked = "0.00", is_credited = true) => {
    const { canFreeze, canUnfreeze, canRecall } = movesOf({ status, bonus_locked, is_credited });
    return [canFreeze, canUnfreeze, canRecall];
  };

  it("freeze what runs, unfreeze what is frozen, recall what is not in margin", () => {
    assert.deepEqual(moves("active"), [true, false, true]);
    assert.deepEqual(moves("frozen"), [false, true, true]);
    assert.deepEqual(moves("expired_pending"), [false, false, true]);
    assert.deepEqual(moves("active", "12.5"), [true, false, false]);
    assert.deepEqual(moves("frozen", "0.000001"), [false, true, false]);
  });

  it("nothing when it is over or not there yet", () => {
    assert.deepEqual(moves("recalled"), [false, false, false]);
    assert.deepEqual(moves("refused"), [false, false, false]);
    assert.deepEqual(moves("active", "0.00", false), [false, false, false]);
  });

  it("says why a recall is refused", () => {
    const { why } = movesOf({ status: "active", bonus_locked: "21.018165", is_credited: true });
    assert.match(why, /21\.018165 USDT of it are in margin/);
    assert.match(why, /freezing cancels the orders/);
  });
});
