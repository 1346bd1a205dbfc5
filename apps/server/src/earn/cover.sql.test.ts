import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PreparedSubscription } from "@bourse/api";
import { type Address, erc20Abi } from "viem";
import { wallet } from "../chain/testing/chains.ts";
import { rethrow } from "../exchange/testing/memory-exchange.ts";
import { DAY_ms } from "../kernel/dates.ts";
import { ApiError } from "../kernel/errors.ts";
import { Cover, GRACE_s, MAX_READ_wallets } from "./cover.ts";
import { ADMIN, EARN_ABI, openSmallScene, type SmallScene } from "./testing/small-scene.ts";

const QUOTA = 100_000_000n;
const addressOf = (place: number) => wallet(place).address.toLowerCase() as Address;
/** Longer than a reading holds. */
const LATER_ms = 6_000;

async function openProduct(scene: SmallScene): Promise<string> {
  const { id } = await scene.earn.admin.create(
    {
      name: "Scarce",
      annual_rate_bps: 1_200,
      duration_seconds: 2_592_000,
      total_quota: QUOTA.toString(),
      min_amount: "1000000",
      max_amount_per_user: QUOTA.toString(),
      subscribe_start_time: new Date(scene.clock.now()).toISOString(),
      subscribe_end_time: new Date(scene.clock.now() + DAY_ms).toISOString(),
    },
    ADMIN,
  );
  await scene.sync();
  return id;
}

/** The voucher, or the code of the refusal. */
async function ask(scene: SmallScene, id: string, place: number, amount: string) {
  try {
    return await scene.earn.prepare.prepare(addressOf(place), id, amount);
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const isVoucher = (answer: PreparedSubscription | string): answer is PreparedSubscription => typeof answer !== "string";

async function subscribe(scene: SmallScene, place: number, voucher: PreparedSubscription): Promise<void> {
  const { chain_product_id, amount, deadline, signature } = voucher;
  const args = [BigInt(chain_product_id), BigInt(amount), BigInt(deadline), signature];
  await scene.call(wallet(place), scene.contracts.earn, EARN_ABI, "subscribe", args);
}

const approve = (scene: SmallScene, place: number, amount: bigint) =>
  scene.call(wallet(place), scene.contracts.usdt, erc20Abi, "approve", [scene.contracts.earn, amount]);

describe("ERN-4: a reservation counts as far as there is money behind it", () => {
  it("50 empty wallets cannot block a quota", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene);
    for (let place = 101; place <= 150; place += 1) {
      assert.ok(isVoucher(await ask(scene, id, place, "2")), "a voucher costs nothing");
    }
    assert.equal((await scene.earn.products.read(id)).reserved_amount, QUOTA.toString());
    await scene.give(wallet(1), QUOTA);
    const voucher = await ask(scene, id, 1, "100");
    assert.ok(isVoucher(voucher), String(voucher));
    await subscribe(scene, 1, voucher);
    // The contract guards the quota: the empty wallets' vouchers are worth nothing now, with or without money.
    await scene.sync();
    assert.equal(await ask(scene, id, 101, "1"), "QUOTA_EXCEEDED");
  });

  it("a wallet that moves its tokens on to the next one cannot reserve twice", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene);
    await scene.give(wallet(1), QUOTA);
    await scene.give(wallet(3), QUOTA);
    assert.ok(isVoucher(await ask(scene, id, 1, "60")));
    assert.equal(await ask(scene, id, 3, "60"), "QUOTA_EXCEEDED", "the money is there");
    await scene.give(wallet(2), 1_000_000n);
    await scene.call(wallet(1), scene.contracts.usdt, erc20Abi, "transfer", [addressOf(2), 60_000_000n]);
    await scene.call(wallet(1), scene.contracts.usdt, erc20Abi, "transfer", [addressOf(4), 40_000_000n]);
    scene.clock.advance(LATER_ms);
    assert.ok(isVoucher(await ask(scene, id, 2, "60")), "where the tokens are now");
    assert.equal(await ask(scene, id, 3, "60"), "QUOTA_EXCEEDED", "they count there, once");
    assert.ok(isVoucher(await ask(scene, id, 3, "40")));
  });

  it("the same money stands behind one of a wallet's products only, the one it asked for first", async (t) => {
    const scene = await openSmallScene(t);
    const [first, second] = [await openProduct(scene), await openProduct(scene)];
    await scene.give(wallet(1), QUOTA);
    await scene.give(wallet(2), QUOTA);
    assert.ok(isVoucher(await ask(scene, first, 1, "100")));
    scene.clock.advance(1_000);
    assert.ok(isVoucher(await ask(scene, second, 1, "100")));
    assert.equal(await ask(scene, first, 2, "1"), "QUOTA_EXCEEDED");
    assert.ok(isVoucher(await ask(scene, second, 2, "100")));
  });

  it("for two minutes the balance is enough, afterwards the contract must be allowed to take it", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene);
    await scene.give(wallet(1), QUOTA);
    await approve(scene, 1, 0n);
    assert.ok(isVoucher(await ask(scene, id, 1, "100")));
    scene.clock.advance(GRACE_s * 1_000 - 1_000);
    assert.equal(await ask(scene, id, 2, "1"), "QUOTA_EXCEEDED");
    scene.clock.advance(1_000 + LATER_ms);
    await approve(scene, 1, QUOTA - 1n);
    assert.ok(isVoucher(await ask(scene, id, 2, "1")), "one unit too little");
    // The voucher is good for half an hour: with the allowance its reservation counts again.
    await approve(scene, 1, QUOTA);
    scene.clock.advance(LATER_ms);
    assert.equal(await ask(scene, id, 3, "1"), "QUOTA_EXCEEDED");
  });

  it("of two who race for the last of the quota one gets it, and the other only if the first has no money", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene);
    for (const place of [1, 2]) await scene.give(wallet(place), QUOTA);
    const answers = await Promise.all([ask(scene, id, 1, "100"), ask(scene, id, 2, "100")]);
    assert.equal(answers.filter(isVoucher).length, 1);
    assert.ok(answers.includes("QUOTA_EXCEEDED"));
    const winner = isVoucher(answers[0]!) ? 1 : 2;
    await subscribe(scene, winner, answers.find(isVoucher)!);
    // Mined and not indexed: the tokens have left the wallet, the voucher's digest says that they are in the contract.
    scene.clock.advance(LATER_ms);
    assert.equal(await ask(scene, id, 3 - winner, "100"), "QUOTA_EXCEEDED");
    await scene.sync();
    assert.equal(await ask(scene, id, 3 - winner, "100"), "QUOTA_EXCEEDED");
  });

  it("the contract guards the quota when vouchers for more than it are out", async (t) => {
    const scene = await openSmallScene(t);
    const id = await openProduct(scene);
    const early = await ask(scene, id, 1, "100");
    await scene.give(wallet(2), QUOTA);
    const voucher = await ask(scene, id, 2, "100");
    assert.ok(isVoucher(early) && isVoucher(voucher));
    await scene.give(wallet(1), QUOTA);
    await subscribe(scene, 2, voucher);
    await assert.rejects(subscribe(scene, 1, early), /revert|Quota/i);
  });

  it("while the chain does not answer, reservations count as if the money were there", async (t) => {
    const scene = await openSmallScene(t);
    const errors: unknown[] = [];
    const contract = { behind: () => Promise.reject(new Error("no node")) };
    const cover = new Cover({ clock: scene.clock, contract, onError: (error) => errors.push(error) });
    const reservation = { digest: "0x1", user: addressOf(1), reserved_s: 0, needed: 1n };
    assert.deepEqual(await cover.uncovered([reservation]), []);
    assert.equal(errors.length, 1);
  });

  it("a request reads a bounded number of wallets, each once in five seconds; the next request goes on", async (t) => {
    const scene = await openSmallScene(t);
    const read: number[] = [];
    const contract = {
      behind: async (vouchers: readonly unknown[]) => {
        read.push(vouchers.length);
        return vouchers.map(() => ({ balance: 0n, allowance: 0n, isUsed: false }));
      },
    };
    const cover = new Cover({ clock: scene.clock, contract, onError: rethrow });
    const others = Array.from({ length: MAX_READ_wallets + 10 }, (_, place) => ({
      digest: `0x${place}`,
      user: addressOf(place),
      reserved_s: Math.floor(scene.clock.now() / 1_000),
      needed: 1n,
    }));
    const found = await Promise.all([1, 2, 3].map(() => cover.uncovered(others)));
    assert.deepEqual(read, [MAX_READ_wallets, 10]);
    assert.deepEqual(
      found.map(({ length }) => length),
      [MAX_READ_wallets, others.length, others.length],
    );
    scene.clock.advance(LATER_ms);
    await cover.uncovered(others);
    assert.equal(read.length, 3);
  });
});
