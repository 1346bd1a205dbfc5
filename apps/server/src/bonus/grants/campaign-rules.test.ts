import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CampaignRequest } from "@bourse/api";
import { assertWithinCampaign, changedTerms, firstCampaign, isRedemptionOpen, termsView } from "./campaign-rules.ts";

const NOW = new Date("2026-07-01T00:00:00Z");
const CAP_micros = 50_000_000_000n;
const terms = firstCampaign("production", NOW);
const change = (request: CampaignRequest) => changedTerms(request, terms, CAP_micros);

describe("campaigns", () => {
  it("T13: production begins with the documented values, development with an open window", () => {
    assert.deepEqual(termsView(terms), {
      name: "Launch",
      amount: "500.00",
      max_amount: null,
      validity_days: 7,
      redemption_opens_at: null,
      redemption_closes_at: "2026-06-10T15:59:59.000Z",
    });
    assert.equal(isRedemptionOpen(terms, NOW), false);
    const open = firstCampaign("development", NOW);
    assert.equal(isRedemptionOpen(open, NOW), true);
    assert.equal(isRedemptionOpen(open, new Date("2036-06-01T00:00:00Z")), true);
    assert.deepEqual({ ...open, redemption_opens_at: null, redemption_closes_at: terms.redemption_closes_at }, terms);
  });

  it("T13: both ends belong to the window", () => {
    const at = (time: string) =>
      isRedemptionOpen({ ...terms, redemption_opens_at: new Date("2026-06-01T00:00:00Z") }, new Date(time));
    assert.deepEqual(
      ["2026-05-31T23:59:59.999Z", "2026-06-01T00:00:00Z", "2026-06-10T15:59:59Z", "2026-06-10T15:59:59.001Z"].map(at),
      [false, true, true, false],
    );
  });

  it("T13: a change keeps what it does not name; null takes a bound away", () => {
    assert.deepEqual(change({ amount: 20.5 }), { ...terms, amount_micros: 20_500_000n });
    const bounded = change({ max_amount: "1000", redemption_opens_at: "2026-01-01T00:00:00+01:00" });
    assert.equal(bounded.max_amount_micros, 1_000_000_000n);
    assert.equal(bounded.redemption_opens_at?.toISOString(), "2025-12-31T23:00:00.000Z");
    assert.deepEqual(changedTerms({ max_amount: null, redemption_opens_at: null }, bounded, CAP_micros), terms);
    assert.doesNotThrow(() => change({ name: "Other", pool_cap_usdt: "50000.00" }));
  });

  it("T13: what contradicts itself, or is a setting, is refused", () => {
    const bad: readonly (readonly [string, CampaignRequest])[] = [
      ["invalid_field", {}],
      ["invalid_field", { pool_cap_usdt: "50000" }],
      ["invalid_field", { name: "Other", pool_cap_usdt: "50001" }],
      ["invalid_field", { name: " " }],
      ["invalid_field", { name: "x".repeat(101) }],
      ["invalid_field", { name: "a\u0000" }],
      ["invalid_field", { redemption_closes_at: "2026-13-01T00:00:00Z" }],
      ["invalid_field", { redemption_opens_at: "2026-06-10T15:59:59Z" }],
      ["invalid_amount", { amount: "0" }],
      ["invalid_amount", { max_amount: "499.999999" }],
      ["invalid_amount", { max_amount: "500", amount: "500.000001" }],
    ];
    for (const [code, request] of bad)
      assert.throws(() => change(request), { code, status: 400 }, JSON.stringify(request));
  });

  it("T13: the most that a wallet may get is a bound, what it usually gets is none", () => {
    assertWithinCampaign(terms, 900_000_000_000n);
    const bounded = change({ max_amount: "600" });
    assertWithinCampaign(bounded, 600_000_000n);
    assert.throws(() => assertWithinCampaign(bounded, 600_000_001n), { code: "invalid_amount" });
  });
});
