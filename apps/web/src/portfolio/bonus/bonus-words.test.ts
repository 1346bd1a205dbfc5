import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MyBonus } from "@bourse/api/client";
import { expiryWarning, lineName, owedWords, sharesOf, signedAmount } from "./bonus-words.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const HOUR_MS = 3_600_000;
const bonus = (more: Partial<MyBonus>): MyBonus => ({
  status: "active",
  amount: "500.00",
  bonus_free: "350.00",
  bonus_locked: "100.00",
  bonus_consumed: "50.00",
  slippage: "0.00",
  slippage_budget: "25.00",
  bonus_owed: "0.00",
  max_leverage: 10,
  grant_tier: "COMMUNITY",
  granted_at: "2026-05-25T00:00:00Z",
  expires_at: new Date(NOW + 5 * 24 * HOUR_MS).toISOString(),
  ...more,
});
const endingIn = (hours: number, more: Partial<MyBonus> = {}) =>
  expiryWarning(bonus({ expires_at: new Date(NOW + hours * HOUR_MS).toISOString(), ...more }), NOW);

describe("BON-9: warnings before the expiry", () => {
  it("come a day and an hour before, and tell what is in margin apart", () => {
    assert.equal(expiryWarning(bonus({}), NOW), undefined);
    assert.equal(endingIn(24.1), undefined);
    assert.match(endingIn(23) ?? "", /within a day.*only closing is allowed/);
    assert.match(endingIn(0.5) ?? "", /within the hour/);
    assert.match(endingIn(23, { bonus_locked: "0.00" }) ?? "", /not used goes back/);
  });

  it("do not come for what is over", () => {
    assert.equal(endingIn(1, { status: "recalled" }), undefined);
    assert.equal(endingIn(1, { status: "none", expires_at: null }), undefined);
  });
});

describe("the ledger", () => {
  it("tells by the sign what was gained and lost", () => {
    assert.equal(signedAmount({ kind: "GRANT", amount: "500.00" }), "500.00");
    assert.equal(signedAmount({ kind: "CONSUME_FEE", amount: "1.50" }), "-1.50");
    assert.equal(signedAmount({ kind: "LOCK", amount: "10" }), "10");
    assert.equal(lineName("EXPIRE"), "Expired");
    assert.equal(lineName("NEW_KIND"), "NEW_KIND");
  });
});

it("shares of the granted amount are drawn against it", () => {
  assert.deepEqual(sharesOf(bonus({})), { free: 0.7, locked: 0.2, consumed: 0.1 });
  assert.deepEqual(sharesOf(bonus({ amount: "0.00" })), { free: 0, locked: 0, consumed: 0 });

  it("BON-7: what is owed is said with its reason, and nothing where nothing is owed", () => {
    const owing = { status: "active", bonus_owed: "12.50", slippage: "50.00", slippage_budget: "25.00" } as const;
    assert.equal(
      owedWords(owing),
      "Your trades cost 50.00 USDT against the mark; the bonus bears its share of 25.00 USDT. What it paid beyond that cannot be withdrawn and goes back to the pool when the bonus ends.",
    );
    assert.match(
      owedWords({ ...owing, status: "recalled", slippage: "0.00" }) ?? "",
      /before the grant.*principal is free/,
    );
    assert.equal(owedWords({ ...owing, bonus_owed: "0.00" }), undefined);
  });
});
