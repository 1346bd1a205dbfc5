import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PreparedSubscription } from "@bourse/api";
import { type Address, keccak256, toHex } from "viem";
import { wallet } from "../chain/testing/chains.ts";
import { ApiError } from "../kernel/errors.ts";
import { ADMIN, EARN_ABI, openSmallScene, type SmallScene } from "./testing/small-scene.ts";

const DAY_ms = 86_400_000;
const addressOf = (place: number) => wallet(place).address.toLowerCase() as Address;
const addresses = (count: number) => Array.from({ length: count }, (_, place) => addressOf(place + 1));

async function openProduct(scene: SmallScene, totalQuota: string, max = totalQuota): Promise<string> {
  const { id } = await scene.earn.admin.create(
    {
      name: "Race",
      annual_rate_bps: 1_200,
      duration_seconds: 2_592_000,
      total_quota: totalQuota,
      min_amount: "1000000",
      max_amount_per_user: max,
      subscribe_start_time: new Date(scene.clock.now()).toISOString(),
      subscribe_end_time: new Date(scene.clock.now() + DAY_ms).toISOString(),
    },
    ADMIN,
  );
  await scene.sync();
  return id;
}

type Outcome = { readonly user: Address; readonly voucher: PreparedSubscription } | { readonly code: string };

async function prepareAll(scene: SmallScene, id: string, users: readonly Address[], amount: string) {
  const outcomes = await Promise.all(
    users.map(async (user): Promise<Outcome> => {
      try {
        return { user, voucher: await scene.earn.prepare.prepare(user, id, amount) };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { code: error.code };
      }
    }),
  );
  return {
    granted: outcomes.filter((outcome) => "voucher" in outcome),
    codes: new Set(outcomes.flatMap((outcome) => ("code" in outcome ? [outcome.code] : []))),
  };
}

const subscribe = async (scene: SmallScene, place: number, voucher: PreparedSubscription) => {
  const { chain_product_id, amount, deadline, signature } = voucher;
  const args = [BigInt(chain_product_id), BigInt(amount), BigInt(deadline), signature];
  await scene.call(wallet(place), scene.contracts.earn, EARN_ABI, "subscribe", args);
};

describe("ERN-4: the quota is never promised twice", () => {
  it("of 200 prepares at once exactly as many get a voucher as the quota holds, and all of these can subscribe", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene, "1000000000");
    const users = addresses(200);
    const { granted, codes } = await prepareAll(scene, id, users, "10");
    assert.equal(granted.length, 100);
    assert.deepEqual([...codes], ["QUOTA_EXCEEDED"]);
    const detail = await scene.earn.products.read(id);
    assert.deepEqual([detail.reserved_amount, detail.available_quota], ["1000000000", "1000000000"]);

    const places = granted.slice(0, 5).map(({ user }) => users.indexOf(user) + 1);
    for (const [index, place] of places.entries()) {
      await scene.give(wallet(place), 10_000_000n);
      await subscribe(scene, place, granted[index]!.voucher);
    }
    await scene.sync();
    const seen = await scene.earn.products.read(id);
    assert.deepEqual(
      [seen.subscribed_amount, seen.reserved_amount, seen.subscriber_count],
      ["50000000", "950000000", 5],
    );
    const again = await prepareAll(scene, id, addresses(210).slice(200), "10");
    assert.equal(again.granted.length, 0, "what was subscribed and what is reserved is the whole quota");
  });

  it("a reservation lasts until a minute after its deadline, then others get the room", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene, "100000000");
    const [first, second] = [addressOf(1), addressOf(2)];
    assert.equal((await prepareAll(scene, id, [first], "100")).granted.length, 1);
    const others = () => prepareAll(scene, id, [second], "1");
    assert.deepEqual([...(await others()).codes], ["QUOTA_EXCEEDED"]);
    scene.clock.advance((1_800 + 60) * 1_000 - 1_000);
    assert.deepEqual([...(await others()).codes], ["QUOTA_EXCEEDED"]);
    scene.clock.advance(1_000);
    assert.equal((await others()).granted.length, 1);
  });

  it("a user has one reservation a product: a new voucher takes the place of the last one", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene, "100000000");
    const [first, second] = [addressOf(1), addressOf(2)];
    assert.equal((await prepareAll(scene, id, [first], "100")).granted.length, 1, "the whole quota");
    assert.equal((await prepareAll(scene, id, [first], "100")).granted.length, 1, "one's own is no obstacle");
    assert.equal((await prepareAll(scene, id, [first], "30")).granted.length, 1);
    assert.equal((await scene.earn.products.read(id)).reserved_amount, "30000000");
    assert.equal((await prepareAll(scene, id, [second], "70.000001")).granted.length, 0);
    assert.equal((await prepareAll(scene, id, [second], "70")).granted.length, 1);
  });

  it("AMOUNT_TOO_HIGH counts what the user holds already", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene, "100000000", "50000000");
    await scene.give(wallet(1), 100_000_000n);
    const { granted } = await prepareAll(scene, id, [addressOf(1)], "30");
    await subscribe(scene, 1, granted[0]!.voucher);
    await scene.sync();
    assert.deepEqual([...(await prepareAll(scene, id, [addressOf(1)], "20.000001")).codes], ["AMOUNT_TOO_HIGH"]);
    assert.equal((await prepareAll(scene, id, [addressOf(1)], "20")).granted.length, 1);
  });

  it("ERN-6: no two vouchers are equal, also when the same one is asked for many times at once", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene, "100000000");
    const { granted } = await prepareAll(scene, id, Array<Address>(50).fill(addressOf(1)), "10");
    const deadlines = granted.map(({ voucher }) => voucher.deadline).sort((a, b) => a - b);
    const first = Math.floor(scene.clock.now() / 1_000) + 1_800;
    assert.deepEqual(
      deadlines,
      Array.from({ length: 50 }, (_, place) => first + place),
    );
    assert.equal(new Set(granted.map(({ voucher }) => keccak256(toHex(voucher.signature)))).size, 50);
  });

  it("ERN-6: nobody gets a voucher that lasts for hours by asking again and again", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene, "100000000");
    const now_s = Math.floor(scene.clock.now() / 1_000);
    const { granted, codes } = await prepareAll(scene, id, Array<Address>(310).fill(addressOf(1)), "10");
    assert.equal(Math.max(...granted.map(({ voucher }) => voucher.deadline)), now_s + 1_800 + 300);
    assert.deepEqual([granted.length, ...codes], [301, "RATE_LIMITED"]);
  });
});
