import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DAY_ms } from "../kernel/dates.ts";
import { ADMIN, EARN_ABI, openSmallScene } from "./testing/small-scene.ts";
import { alice, bob, bodyOf, books, invest, mineOther, productCount } from "./testing/steps.ts";

describe("time and claims", () => {
  it("ERN-1: settled ends after 180 days, and can be claimed even then", async (t) => {
    const scene = await openSmallScene(t);
    await scene.give(alice, 100_000_000n);
    const { id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    await invest(scene, alice, id, "50");
    await scene.earn.admin.fund(id, { amount: "1000000" }, ADMIN);
    const status = async () => {
      await scene.sync();
      return (await scene.earn.products.read(id)).status;
    };
    scene.clock.advance(31 * DAY_ms);
    assert.equal(await status(), "settled");
    scene.clock.advance(180 * DAY_ms - 1_000);
    assert.equal(await status(), "settled");
    scene.clock.advance(1_000);
    assert.equal(await status(), "ended");
    await scene.call(alice, scene.contracts.earn, EARN_ABI, "claim", [1n]);
    assert.equal(await status(), "ended");
    const [position] = (await books(scene)).positions;
    assert.equal(position!.nft_status, "redeemed");
  });

  it("ERN-9: what orphaned blocks had brought is taken back to the last unit, and comes again with the next ones", async (t) => {
    const scene = await openSmallScene(t);
    for (const user of [alice, bob]) await scene.give(user, 1_000_000_000n);
    const { id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    await invest(scene, alice, id, "100");
    await scene.earn.admin.fund(id, { amount: "3000000" }, ADMIN);
    await scene.sync();

    const beforeTopUp = await books(scene);
    const topUp = await scene.chain.snapshot();
    await invest(scene, alice, id, "20");
    await invest(scene, bob, id, "30");
    await scene.index();
    const subscribed = await books(scene);
    assert.deepEqual(subscribed.positions.map(({ principal }) => principal).sort(), ["120000000", "30000000"]);
    assert.ok(subscribed.reservations.every(({ is_used }) => is_used));
    await scene.chain.revertTo(topUp);
    await mineOther(scene);
    await scene.index();
    const rewound = await books(scene);
    assert.deepEqual(rewound.chain, beforeTopUp.chain);
    assert.deepEqual(rewound.positions, beforeTopUp.positions);
    assert.deepEqual(rewound.reservations.filter(({ is_used }) => !is_used).length, 2, "both vouchers are open again");

    scene.clock.advance(31 * DAY_ms);
    const beforeSettling = await scene.chain.snapshot();
    await scene.sync();
    await scene.call(alice, scene.contracts.earn, EARN_ABI, "claim", [1n]);
    await scene.sync();
    assert.equal((await scene.earn.products.read(id)).status, "ended");
    await scene.chain.revertTo(beforeSettling);
    await mineOther(scene);
    await scene.index();
    const unsettled = await books(scene);
    assert.equal(unsettled.products[0]!.status, "active");
    assert.deepEqual(unsettled.chain, beforeTopUp.chain);
    assert.deepEqual(unsettled.positions, beforeTopUp.positions);

    // The operator sends its settlement again, under the same reference, and the product continues.
    for (let looks = 0; looks < 3; looks += 1) {
      await scene.operator.sync();
      await scene.sync();
    }
    assert.equal((await scene.earn.products.read(id)).status, "settled");
  });

  it("ERN-9: a product whose creation was orphaned is found again under its new number", async (t) => {
    const scene = await openSmallScene(t);
    await scene.index();
    const empty = await scene.chain.snapshot();
    const { id, chain_product_id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    assert.equal(chain_product_id, 1);
    await scene.chain.revertTo(empty);
    await mineOther(scene);
    await scene.index();
    assert.equal((await books(scene)).products[0]!.chain_product_id, null);
    assert.equal((await scene.earn.products.list({})).total, 0);
    for (let looks = 0; looks < 3; looks += 1) {
      await scene.operator.sync();
      await scene.sync();
    }
    const found = await scene.earn.products.read(id);
    assert.deepEqual([found.chain_product_id, found.status], [1, "subscribing"]);
    assert.equal(await productCount(scene), 1n);
  });
});
