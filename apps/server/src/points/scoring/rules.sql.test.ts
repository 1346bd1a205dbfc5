import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { PointsRule, PointsRules } from "@bourse/api";
import { AdminScene } from "./testing/admin-scene.ts";

describe("PTS-6: the administration of rules", () => {
  let scene: AdminScene;
  before(async () => {
    scene = await AdminScene.open();
  });
  after(() => scene.close());

  const V1 = {
    version: 1,
    points_per_fee: 10,
    maker_multiplier: "1.5",
    usdt_per_earn_point: 100,
    referral_share: "0.1",
    boosts: {},
    created_by: "system",
  };

  it("PTS-3: rule v1 holds from the beginning", async () => {
    const { created_at, history, ...rule } = await scene.read<PointsRules>("/rules");
    assert.deepEqual([rule, history], [V1, []]);
    assert.equal(new Date(created_at).toISOString(), created_at);
  });

  it("a change is a new version; what is not given stays, the boosts are given as a whole", async () => {
    const first = await scene.set<PointsRule>("/rules", {
      boosts: { BTCUSDT: "1.50", ethusdt: 1.37 },
      reason: "launch",
    });
    assert.deepEqual(
      [first.version, first.boosts, first.maker_multiplier],
      [2, { BTCUSDT: "1.5", ETHUSDT: "1.37" }, "1.5"],
    );
    assert.equal(first.created_at, new Date(scene.platform.clock.now()).toISOString());
    const { reason, action, before: was, after: is } = await scene.lastAudit();
    assert.deepEqual([reason, action, is], ["launch", "points.rules.change", first]);
    assert.equal((was as PointsRule).version, 1);

    const second = await scene.set<PointsRule>("/rules", {
      boosts: { SOLUSDT: 2 },
      points_per_fee: 20,
      maker_multiplier: 2.25,
      usdt_per_earn_point: 50,
      referral_share: "0.05",
    });
    const { created_by: _by, created_at: _at, ...figures } = second;
    assert.deepEqual(figures, {
      version: 3,
      points_per_fee: 20,
      maker_multiplier: "2.25",
      usdt_per_earn_point: 50,
      referral_share: "0.05",
      boosts: { SOLUSDT: "2" },
    });
    const third = await scene.set<PointsRule>("/rules", { boosts: {} });
    assert.deepEqual([third.points_per_fee, third.referral_share, third.boosts], [20, "0.05", {}]);
    const { history, ...current } = await scene.read<PointsRules>("/rules");
    assert.deepEqual(current, third);
    assert.deepEqual(
      history.map(({ version }) => version),
      [3, 2, 1],
    );
    assert.deepEqual(history.slice(0, 2), [second, first]);
  });

  it("changes at once are versions one after the other, each made from the one before", async () => {
    const { version } = await scene.read<PointsRules>("/rules");
    const changes = [
      { points_per_fee: 7 },
      { maker_multiplier: "3" },
      { usdt_per_earn_point: 70 },
      { referral_share: 0.2 },
    ];
    await Promise.all(changes.map((change) => scene.set("/rules", { boosts: {}, ...change })));
    const rule = await scene.read<PointsRules>("/rules");
    assert.equal(rule.version, version + 4);
    assert.deepEqual(
      [rule.points_per_fee, rule.maker_multiplier, rule.usdt_per_earn_point, rule.referral_share],
      [7, "3", 70, "0.2"],
    );
  });

  const bad: [string, object][] = [
    ["an unknown market", { boosts: { DOGEUSDT: "1.5" } }],
    ["a market with a strange name", { boosts: { "": "1.5" } }],
    ["a market twice", { boosts: { BTCUSDT: "1.5", btcusdt: "1.5" } }],
    ["a boost below 1", { boosts: { BTCUSDT: "0.99" } }],
    ["a boost above 2", { boosts: { BTCUSDT: "2.01" } }],
    ["a boost of three decimals", { boosts: { BTCUSDT: "1.375" } }],
    ["a boost of three decimals as a number", { boosts: { BTCUSDT: 1.375 } }],
    ["a boost in words", { boosts: { BTCUSDT: "double" } }],
    ["a boost with an exponent", { boosts: { BTCUSDT: "1e0" } }],
    ["a boost with spaces", { boosts: { BTCUSDT: " 1.5" } }],
    ["an empty boost", { boosts: { BTCUSDT: "" } }],
    ["a negative boost", { boosts: { BTCUSDT: "-1.5" } }],
    ["a boost that is null", { boosts: { BTCUSDT: null } }],
    ["a boost that is a list", { boosts: { BTCUSDT: ["1.5"] } }],
    ["boosts that are null", { boosts: null }],
    ["boosts that are a list", { boosts: [1.5] }],
    ["boosts that are text", { boosts: "BTCUSDT" }],
    ["negative points", { boosts: {}, points_per_fee: -1 }],
    ["too many points", { boosts: {}, points_per_fee: 1_001 }],
    ["parts of points", { boosts: {}, points_per_fee: 1.5 }],
    ["points as text", { boosts: {}, points_per_fee: "10" }],
    ["a negative maker", { boosts: {}, maker_multiplier: "-1" }],
    ["a maker above 10", { boosts: {}, maker_multiplier: "10.01" }],
    ["a maker of three decimals", { boosts: {}, maker_multiplier: "1.505" }],
    ["no principal at all", { boosts: {}, usdt_per_earn_point: 0 }],
    ["too much principal", { boosts: {}, usdt_per_earn_point: 1_000_001 }],
    ["a share above 1", { boosts: {}, referral_share: "1.01" }],
    ["a negative share", { boosts: {}, referral_share: -0.1 }],
    ["a share of three decimals", { boosts: {}, referral_share: "0.105" }],
    ["a share that is null", { boosts: {}, referral_share: null }],
  ];
  for (const [what, payload] of bad) it(`refuses ${what}`, () => scene.refuses("/rules", payload, "INVALID_FIELD"));
  it("refuses a change without boosts", () =>
    scene.refuses("/rules", { points_per_fee: 5 }, "FIELD_REQUIRED", /^boosts/));
});
