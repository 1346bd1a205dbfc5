import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PointsRule } from "@bourse/api/client";
import { changesOfRule, draftOfRule, problemsOfRule, type RuleDraft, requestOfRule } from "./rule-draft.ts";

const rule: PointsRule = {
  version: 2,
  points_per_fee: 10,
  maker_multiplier: "1.5",
  usdt_per_earn_point: 100,
  referral_share: "0.1",
  boosts: { AVAXUSDT: "2" },
  created_by: "system",
  created_at: "2026-06-01T00:00:00.000Z",
};
const draft = draftOfRule(rule, ["BTCUSDT", "AVAXUSDT"]);

describe("the rule of points", () => {
  it("goes out as it came in, with every market to be boosted in sight", () => {
    assert.deepEqual(draft.boosts, { AVAXUSDT: "2", BTCUSDT: "" });
    const request = requestOfRule(draft);
    assert.ok(request);
    assert.deepEqual(changesOfRule(rule, request), []);
  });

  it("sends all boosts, and none that is 1", () => {
    const request = requestOfRule({ ...draft, share: "15", boosts: { AVAXUSDT: "1", BTCUSDT: "1.25" } });
    assert.ok(request);
    assert.deepEqual(request.boosts, { BTCUSDT: "1.25" });
    assert.equal(request.referral_share, "0.15");
    assert.deepEqual(changesOfRule(rule, request), [
      { what: "Inviter's share", before: "10 %", after: "15 %" },
      { what: "Boost of AVAXUSDT", before: "× 2", after: "none" },
      { what: "Boost of BTCUSDT", after: "× 1.25" },
    ]);
  });

  it("is refused before it is sent", () => {
    const wrong = (change: Partial<RuleDraft>) => {
      assert.equal(requestOfRule({ ...draft, ...change }), undefined);
      const { boosts, ...rest } = problemsOfRule({ ...draft, ...change });
      return [...Object.keys(rest), ...Object.keys(boosts)];
    };
    assert.deepEqual(wrong({ perFee: "1001" }), ["perFee"]);
    assert.deepEqual(wrong({ maker: "1.555" }), ["maker"]);
    assert.deepEqual(wrong({ perEarnPoint: "0" }), ["perEarnPoint"]);
    assert.deepEqual(wrong({ share: "101" }), ["share"]);
    assert.deepEqual(wrong({ boosts: { BTCUSDT: "2.01" } }), ["BTCUSDT"]);
    assert.deepEqual(wrong({ boosts: { BTCUSDT: "0.5" } }), ["BTCUSDT"]);
  });
});
