import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { accepted, EarnScene, isoAfter, USDT } from "../../earn/testing/scene.ts";
import { DAY_ms, dayNumberOf, HOUR_ms } from "../../kernel/dates.ts";
import { TEST_EPOCH_MS, testWallet } from "../../testing/test-platform.ts";
import { pointsDb } from "../tables.ts";

const TODAY = dayNumberOf(TEST_EPOCH_MS);

describe("PTS-3: points of earn positions on the chain", () => {
  let scene: EarnScene;
  const [alice, bob] = [testWallet(201), testWallet(202)];
  before(async () => {
    scene = await EarnScene.open();
    for (const wallet of [alice, bob]) await scene.give(wallet, 10_000n * USDT);
  });
  after(() => scene.close());

  const lines = async () => {
    const rows = await pointsDb(scene.platform.database)
      .selectFrom("points_line")
      .selectAll()
      .where("source", "=", "earn")
      .orderBy("day")
      .orderBy("base_micros")
      .execute();
    return rows.map(({ address, day, points_micros }) => [address, day - TODAY, Number(points_micros) / 1e6]);
  };
  const runByHand = async () => {
    const reply = await scene.platform.post("/api/v1/dev/jobs/points-earn/run");
    return accepted<{ error: string | null; result: Record<string, unknown> }>(reply);
  };
  const [a, b] = [alice, bob].map(({ address }) => address.toLowerCase());

  it("each midnight scores what was held then; whoever came after it or left before it scores nothing", async () => {
    const product = await scene.product({
      duration_seconds: 2 * 86_400,
      subscribe_start_time: isoAfter(0),
      subscribe_end_time: isoAfter(DAY_ms),
    });
    await scene.invest(alice, product.id, "1000");
    assert.deepEqual((await runByHand()).result, { date: "2026-06-01", positions: 0, scored_before: 0, lines: 0 });
    // 23:00, then 01:00: bob subscribes, and alice adds to her position.
    await scene.moveTo(11 * HOUR_ms);
    assert.deepEqual(await lines(), []);
    await scene.moveTo(13 * HOUR_ms);
    assert.deepEqual(await lines(), [[a, 1, 10]]);
    await scene.invest(bob, product.id, "250.5");
    await scene.invest(alice, product.id, "500");
    const again = await runByHand();
    assert.deepEqual(again.result, { date: "2026-06-02", positions: 1, scored_before: 1, lines: 0 });
    // Two midnights in one move; on the third day the product is settled, and alice claims.
    accepted(await scene.admin("POST", `/${product.id}/fund`, { amount: "100000000" }));
    await scene.moveTo(3 * DAY_ms);
    const held = [
      [a, 1, 10],
      [b, 2, 2.505],
      [a, 2, 15],
      [b, 3, 2.505],
      [a, 3, 15],
    ];
    assert.deepEqual(await lines(), held);
    await scene.earn(alice, "claim", [BigInt(product.chain_product_id)]);
    await scene.sync();
    await scene.moveTo(4 * DAY_ms);
    assert.deepEqual(await lines(), [...held, [b, 4, 2.505]]);
    assert.equal((await runByHand()).error, null);
    assert.equal((await lines()).length, 6);
  });
});
