import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PreparedSubscription } from "@bourse/api";
import { formatUnits } from "@bourse/money";
import { type Address, keccak256, toHex } from "viem";
import { wallet } from "../chain/testing/chains.ts";
import { DAY_ms } from "../kernel/dates.ts";
import { ApiError } from "../kernel/errors.ts";
import { contractSide, fundCrowd, lower, type Outcome, rush } from "./testing/crowd.ts";
import { ADMIN, EARN_ABI, openSmallScene, type SmallScene } from "./testing/small-scene.ts";

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

type Answer = { readonly user: Address; readonly voucher: PreparedSubscription } | { readonly code: string };

async function prepareAll(scene: SmallScene, id: string, users: readonly Address[], amount: string) {
  const outcomes = await Promise.all(
    users.map(async (user): Promise<Answer> => {
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

const sumOf = (subscriptions: readonly { readonly amount: bigint }[]) =>
  subscriptions.reduce((sum, { amount }) => sum + amount, 0n);

/**
 * Asserts that every voucher was used, that the contract has exactly these subscriptions and that the tables agree. Returns the
 * subscriptions.
 */
async function assertSidesAgree(scene: SmallScene, id: string, outcomes: readonly Outcome[]) {
  const { product, subscriptions } = await contractSide(scene, 1n);
  const byUser = (list: readonly { readonly user: string; readonly amount: bigint }[]) =>
    list.map(({ user, amount }) => `${user} ${amount}`).sort();
  const granted = outcomes.filter((outcome) => "voucher" in outcome);
  const used = granted.map(({ wish }) => ({ user: lower(wish.account), amount: wish.amount }));
  assert.deepEqual(byUser(subscriptions), byUser(used));
  assert.equal(product.subscribed, sumOf(subscriptions));
  assert.ok(product.subscribed <= product.terms.totalQuota);
  const rows = await scene.db.selectFrom("earn_subscription").selectAll().execute();
  assert.deepEqual(
    byUser(rows.map((row) => ({ user: row.user_address, amount: BigInt(row.principal) }))),
    byUser(subscriptions),
  );
  const detail = await scene.earn.products.read(id);
  assert.deepEqual(
    [detail.subscribed_amount, detail.reserved_amount, detail.subscriber_count],
    [product.subscribed.toString(), "0", subscriptions.length],
  );
  return subscriptions;
}

describe("ERN-4: the quota is never promised twice", () => {
  it("200 users who prepare and subscribe at once fill the quota exactly, and nobody with a voucher is turned away", async (t) => {
    const scene = await openSmallScene(t);
    const quota = 1_000_000_000n;
    const id = await openProduct(scene, quota.toString());
    const wishes = Array.from({ length: 200 }, (_, place) => ({ account: wallet(place + 1), amount: 10_000_000n }));
    await fundCrowd(scene, wishes);
    const outcomes = await rush(scene, id, wishes, wishes.length);
    const subscribed = await assertSidesAgree(scene, id, outcomes);
    assert.deepEqual([subscribed.length, sumOf(subscribed)], [100, quota]);
    const refused = outcomes.flatMap((outcome) => ("code" in outcome ? [outcome.code] : []));
    assert.deepEqual([refused.length, ...new Set(refused)], [100, "QUOTA_EXCEEDED"]);
    const again = await prepareAll(scene, id, [...addresses(210).slice(200), lower(wishes[0]!.account)], "1");
    assert.deepEqual([again.granted.length, ...again.codes], [0, "QUOTA_EXCEEDED"]);
  });

  it("nobody is refused whose amount fits beside what is subscribed and what others have reserved", async (t) => {
    const scene = await openSmallScene(t);
    const quota = 1_000_000_000n;
    const id = await openProduct(scene, quota.toString());
    // From 1 to 29.777777 tokens, three times the quota in total. Ten at a time: some are indexed while others ask.
    const wishes = Array.from({ length: 200 }, (_, place) => ({
      account: wallet(place + 1),
      amount: 1_000_000n + ((BigInt(place) * 7_654_321n) % 28_777_778n),
    }));
    await fundCrowd(scene, wishes);
    const outcomes = await rush(scene, id, wishes, 10);
    const subscribed = await assertSidesAgree(scene, id, outcomes);
    // The free quota only decreased, so a request that would still fit at the end was refused without reason.
    const left = quota - sumOf(subscribed);
    const refused = outcomes.filter((outcome) => "code" in outcome);
    assert.ok(refused.length > 0);
    for (const { code, wish } of refused) {
      assert.equal(code, "QUOTA_EXCEEDED");
      assert.ok(wish.amount > left, `${wish.amount} was refused though ${left} is free`);
    }
    assert.deepEqual(
      [...(await prepareAll(scene, id, [addressOf(201)], formatUnits(left + 1_000_000n, 6))).codes],
      ["QUOTA_EXCEEDED"],
    );
  });

  it("a reservation lasts until a minute after its deadline, then others get the room", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene, "100000000");
    const [first, second] = [addressOf(1), addressOf(2)];
    await scene.give(wallet(1), 100_000_000n);
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
    await scene.give(wallet(1), 100_000_000n);
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
