import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { migrations } from "../compose/migrations.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { DAY_ms } from "../kernel/dates.ts";
import { principalsAt } from "./principals.ts";
import { earnDb } from "./tables.ts";
import { ADMIN, EARN_ABI, openSmallScene, type SmallScene } from "./testing/small-scene.ts";
import { alice, bob, bodyOf, invest } from "./testing/steps.ts";

const MIDNIGHT_ms = Date.UTC(2026, 5, 2);
const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const idOf = (number: number) => `00000000-0000-8000-a000-${number.toString().padStart(12, "0")}`;

interface Position {
  readonly subscribed_ms: number;
  readonly claimed_ms?: number;
  readonly refunded_ms?: number;
}

async function openWith(t: TestContext, positions: readonly Position[]) {
  const database = await openTestDatabase(migrations);
  t.after(() => database.close());
  const hash = `0x${"11".repeat(32)}`;
  await earnDb(database)
    .insertInto("earn_subscription")
    .values(
      positions.map(({ subscribed_ms, claimed_ms = null, refunded_ms = null }, place) => ({
        id: idOf(place),
        chain_product_id: 1n,
        user_address: walletOf(place),
        principal: BigInt(place + 1) * 100_000_000n,
        interest: 1n,
        nft_token_id: BigInt(place),
        nft_status: claimed_ms === null ? (refunded_ms === null ? "minted" : "refunded") : "redeemed",
        subscribe_tx_hash: hash,
        subscribed_ms,
        claim_tx_hash: claimed_ms === null ? null : hash,
        claimed_ms,
        refund_tx_hash: refunded_ms === null ? null : hash,
        refunded_ms,
      })),
    )
    .execute();
  return database;
}

describe("PTS-3: what earn positions held at a moment", () => {
  it("who has come by then and not left; whoever left at that very moment had left", async (t) => {
    const at = MIDNIGHT_ms;
    const database = await openWith(t, [
      { subscribed_ms: at - 1 },
      { subscribed_ms: at },
      { subscribed_ms: at + 1 },
      { subscribed_ms: at - DAY_ms, claimed_ms: at - 1 },
      { subscribed_ms: at - DAY_ms, claimed_ms: at },
      { subscribed_ms: at - DAY_ms, claimed_ms: at + 1 },
      { subscribed_ms: at - DAY_ms, refunded_ms: at - 1 },
      { subscribed_ms: at - DAY_ms, refunded_ms: at },
      { subscribed_ms: at - DAY_ms, refunded_ms: at + 1 },
    ]);
    const held = await database.db.transaction().execute((tx) => principalsAt(tx, at));
    assert.deepEqual(
      held.toSorted((a, b) => (a.subscription_id < b.subscription_id ? -1 : 1)),
      [0, 1, 5, 8].map((place) => ({
        subscription_id: idOf(place),
        address: walletOf(place),
        principal_micros: BigInt(place + 1) * 100_000_000n,
      })),
    );
    assert.deepEqual(await database.db.transaction().execute((tx) => principalsAt(tx, at - 2 * DAY_ms)), []);
  });

  it("principals beyond what a float holds are exact", async (t) => {
    const database = await openWith(t, [{ subscribed_ms: MIDNIGHT_ms }]);
    await sql`update earn_subscription set principal = 9007199254740993`.execute(database.db);
    const [held] = await database.db.transaction().execute((tx) => principalsAt(tx, MIDNIGHT_ms));
    assert.equal(held!.principal_micros, 9_007_199_254_740_993n);
  });
});

describe("PTS-3: what positions on the chain held", () => {
  const heldAt = async ({ database }: SmallScene, at_ms: number) => {
    const held = await database.db.transaction().execute((tx) => principalsAt(tx, at_ms));
    return new Map(held.map(({ address, principal_micros }) => [address, principal_micros]));
  };
  const [a, b] = [alice, bob].map(({ address }) => address.toLowerCase()) as [string, string];

  it("what was added later was not held before, and what was claimed is held until then", async (t) => {
    const scene = await openSmallScene(t);
    for (const user of [alice, bob]) await scene.give(user, 1_000_000_000n);
    const { id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    const times: number[] = [];
    const step = async (move: () => Promise<unknown>, wait_ms = 3_600_000) => {
      await move();
      await scene.sync();
      times.push(scene.clock.now() + 60_000);
      scene.clock.advance(wait_ms);
    };
    await step(() => invest(scene, alice, id, "100"));
    await step(() => invest(scene, alice, id, "20"));
    await step(() => invest(scene, bob, id, "30"));
    await step(() => invest(scene, alice, id, "17"), 31 * DAY_ms);
    await scene.earn.admin.fund(id, { amount: "10000000" }, ADMIN);
    await scene.sync();
    await step(() => scene.call(alice, scene.contracts.earn, EARN_ABI, "claim", [1n]));
    const USDT = 1_000_000n;
    const expected = [
      new Map([[a, 100n * USDT]]),
      new Map([[a, 120n * USDT]]),
      new Map([
        [a, 120n * USDT],
        [b, 30n * USDT],
      ]),
      new Map([
        [a, 137n * USDT],
        [b, 30n * USDT],
      ]),
      new Map([[b, 30n * USDT]]),
    ];
    for (const [place, at_ms] of times.entries()) assert.deepEqual(await heldAt(scene, at_ms), expected[place]);
  });

  it("what was refunded after a cancellation is held until then", async (t) => {
    const scene = await openSmallScene(t);
    await scene.give(alice, 1_000_000_000n);
    const { id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    await invest(scene, alice, id, "100");
    await scene.earn.admin.cancel(id, {}, ADMIN);
    scene.clock.advance(60_000);
    await scene.sync();
    const before_ms = scene.clock.now();
    scene.clock.advance(60_000);
    await scene.call(alice, scene.contracts.earn, EARN_ABI, "emergencyClaim", [1n]);
    await scene.sync();
    assert.deepEqual(await heldAt(scene, before_ms), new Map([[a, 100_000_000n]]));
    scene.clock.advance(60_000);
    assert.deepEqual(await heldAt(scene, scene.clock.now()), new Map());
  });
});
