import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pino } from "pino";
import { openSmallScene, type SmallScene } from "../../earn/testing/small-scene.ts";
import { seedDemoProducts } from "./savers.ts";

describe("RUN-2: the demo's products", () => {
  const statuses = async ({ earn }: SmallScene) => {
    const { products } = await earn.products.list({});
    return Object.fromEntries(products.map(({ name, status }) => [name, status]));
  };

  it("are made by the ways of admins and users, once, and come to their states by the clock", async (t) => {
    const scene = await openSmallScene(t);
    const options = { ...scene, log: pino({ level: "silent" }), walletSeed: "a seed of these tests" };
    await scene.sync();
    await seedDemoProducts(options);
    await scene.sync();
    assert.deepEqual(await statuses(scene), {
      "USDT 30 days": "subscribing",
      "USDT 90 days": "created",
      "USDT 7 days": "subscribing",
      "USDT one minute": "subscribing",
    });
    const { products } = await scene.earn.products.list({});
    const sums = Object.fromEntries(
      products.map((each) => [each.name, [each.subscribed_amount, each.subscriber_count]]),
    );
    assert.deepEqual(sums["USDT 30 days"], ["37500000000", 2]);
    assert.deepEqual(sums["USDT one minute"], ["3000000000", 2]);

    await seedDemoProducts(options);
    scene.clock.advance(150_000);
    await scene.sync();
    assert.deepEqual(await statuses(scene), {
      "USDT 30 days": "subscribing",
      "USDT 90 days": "created",
      "USDT 7 days": "active",
      "USDT one minute": "settled",
    });
    await seedDemoProducts(options);
    const again = await scene.earn.products.list({});
    assert.deepEqual([again.total, again.products.reduce((sum, each) => sum + each.subscriber_count, 0)], [4, 6]);
  });
});
