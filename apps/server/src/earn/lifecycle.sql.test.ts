import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DAY_ms } from "../kernel/dates.ts";
import { testWallet } from "../testing/test-platform.ts";
import { accepted, assertRefused, EarnScene, isoAfter, reverts, subscribeArgs, USDT } from "./testing/scene.ts";

describe("a product from its making to its end", () => {
  let scene: EarnScene;
  const [alice, bob, eve] = [testWallet(101), testWallet(102), testWallet(103)];
  let now_ms = 0;
  const moveTo = async (ms: number) => {
    now_ms = ms;
    await scene.moveTo(ms);
  };
  /** A product whose subscription starts now and lasts a day. */
  const productFromNow = (changes: Record<string, unknown> = {}) =>
    scene.product({
      subscribe_start_time: isoAfter(now_ms),
      subscribe_end_time: isoAfter(now_ms + DAY_ms),
      ...changes,
    });
  const fund = async (id: string, amount: bigint) =>
    accepted(await scene.admin("POST", `/${id}/fund`, { amount: amount.toString() }));

  before(async () => {
    scene = await EarnScene.open();
    for (const wallet of [alice, bob, eve]) await scene.give(wallet, 10_000n * USDT);
  });
  after(() => scene.close());

  it("ERN-1, ERN-2: subscribed, active, settled by its own funding, claimed with interest, ended", async () => {
    const product = await productFromNow();
    assert.equal(product.status, "subscribing");
    const hash = await scene.invest(alice, product.id, "1000");
    const [position] = await scene.subscriptions(alice);
    assert.deepEqual(
      [position!.principal, position!.interest, position!.total_return],
      ["1000000000", "9863013", "1009863013"],
    );
    assert.deepEqual([position!.nft_status, position!.status, position!.claimed], ["minted", "active", false]);
    assert.equal(position!.subscribe_tx_hash, hash);
    assert.equal(position!.claimable_at, product.settle_time);
    assert.equal(position!.subscribed_at, isoAfter(now_ms));

    await moveTo(now_ms + DAY_ms);
    assert.equal((await scene.read(product.id)).status, "active");
    await moveTo(now_ms + 30 * DAY_ms);
    const delayed = await scene.read(product.id);
    assert.deepEqual([delayed.status, delayed.settlement_delayed], ["active", true]);
    await fund(product.id, 9_863_012n);
    assert.deepEqual([(await scene.read(product.id)).settlement_delayed], [true], "one unit is missing");
    await fund(product.id, 1n);
    const settled = await scene.read(product.id);
    assert.deepEqual([settled.status, settled.settlement_delayed], ["settled", false]);
    assert.equal((await scene.subscriptions(alice))[0]!.status, "claimable");

    const tokensBefore = await scene.tokensOf(alice.address);
    const claimHash = await scene.earn(alice, "claim", [BigInt(product.chain_product_id)]);
    await scene.sync();
    assert.equal((await scene.tokensOf(alice.address)) - tokensBefore, 1_009_863_013n);
    const [claimed] = await scene.subscriptions(alice);
    assert.deepEqual(
      [claimed!.nft_status, claimed!.status, claimed!.claimed, claimed!.claim_tx_hash, claimed!.claimed_at],
      ["redeemed", "claimed", true, claimHash, isoAfter(now_ms)],
    );
    assert.equal(claimed!.refund_tx_hash, null);
    assert.equal((await scene.read(product.id)).status, "ended");
  });

  it("ERN-1: one product's funding never settles another", async () => {
    const anHour = {
      duration_seconds: 3_600,
      annual_rate_bps: 100_000,
      subscribe_end_time: isoAfter(now_ms + 600_000),
    };
    const rich = await productFromNow({ name: "rich", ...anHour });
    const poor = await productFromNow({ name: "poor", ...anHour });
    for (const { id } of [rich, poor]) await scene.invest(alice, id, "100");
    await fund(rich.id, 100n * USDT);
    await moveTo(now_ms + 4_200_000);
    assert.equal((await scene.read(rich.id)).status, "settled");
    const { status, settlement_delayed } = await scene.read(poor.id);
    assert.deepEqual([status, settlement_delayed], ["active", true]);
    const solvency = accepted<Record<string, unknown>>(
      await scene.platform.get(`/earn/products/${poor.chain_product_id}/solvency`),
    );
    assert.equal(solvency["principal_owed"], "100000000");
    assert.equal(solvency["interest_owed"], "114155");
    assert.deepEqual([solvency["funded_amount"], solvency["shortfall"], solvency["is_funded"]], ["0", "114155", false]);
    assert.deepEqual(solvency["total"], {
      contract_balance: (200n * USDT + 100n * USDT).toString(),
      principal_owed: (200n * USDT).toString(),
      interest_owed: (2n * 114155n).toString(),
      funded_amount: (100n * USDT).toString(),
      is_solvent: true,
    });
    await fund(poor.id, 114155n);
    assert.equal((await scene.read(poor.id)).status, "settled");
  });

  it("ERN-1: a product that nobody has subscribed to is cancelled at its end, on chain as well", async () => {
    const product = await productFromNow({ subscribe_end_time: isoAfter(now_ms + 600_000) });
    await moveTo(now_ms + 600_000);
    assert.equal((await scene.read(product.id)).status, "cancelled");
    assert.equal((await scene.onChain(product.chain_product_id)).status, 3);
  });

  it("ERN-1: an admin's cancellation opens the refund of the principal", async () => {
    const product = await productFromNow();
    await scene.invest(alice, product.id, "300");
    const cancelled = accepted<{ status: string }>(await scene.admin("POST", `/${product.id}/cancel`, {}));
    assert.equal(cancelled.status, "cancelled");
    assert.equal((await scene.subscriptions(alice))[0]!.status, "refundable");
    assertRefused(await scene.prepareReply(bob, { product_id: product.id, amount: "100" }), 400, "SUBSCRIPTION_CLOSED");
    await reverts(scene.earn(alice, "claim", [BigInt(product.chain_product_id)]), "WrongStatus");
    const before = await scene.tokensOf(alice.address);
    const hash = await scene.earn(alice, "emergencyClaim", [BigInt(product.chain_product_id)]);
    await scene.sync();
    assert.equal((await scene.tokensOf(alice.address)) - before, 300n * USDT);
    const [position] = await scene.subscriptions(alice);
    assert.deepEqual(
      [position!.nft_status, position!.status, position!.claimed, position!.refund_tx_hash, position!.claim_tx_hash],
      ["refunded", "refunded", false, hash, null],
    );
  });

  it("T5: a second subscription adds to the one position", async () => {
    const product = await productFromNow();
    const first = await scene.invest(alice, product.id, "100.5");
    await scene.invest(alice, product.id, "200.25");
    const [position] = await scene.subscriptions(alice);
    assert.equal(position!.product_id, product.id);
    assert.equal(position!.principal, "300750000");
    assert.equal(position!.interest, "2966301");
    assert.equal(position!.subscribe_tx_hash, first);
    const { subscriber_count, subscribed_amount, subscription_rate } = await scene.read(product.id);
    assert.deepEqual([subscriber_count, subscribed_amount, subscription_rate], [1, "300750000", "3.01"]);
  });

  it("T4, ERN-6: a voucher is good once, for its user, its amount and its time", async () => {
    const product = await productFromNow();
    const voucher = await scene.prepare(alice, product.id, "100");
    for (const wallet of [alice, eve]) await scene.approve(wallet, 1_000n * USDT);
    const args = subscribeArgs(voucher);
    await reverts(scene.earn(eve, "subscribe", args), "InvalidVoucherSigner");
    await reverts(scene.earn(alice, "subscribe", [args[0], 101n * USDT, args[2], args[3]]), "InvalidVoucherSigner");
    await reverts(scene.earn(alice, "subscribe", [args[0], args[1], args[2] + 1n, args[3]]), "InvalidVoucherSigner");
    await scene.earn(alice, "subscribe", args);
    await reverts(scene.earn(alice, "subscribe", args), "VoucherUsed");
    const late = await scene.prepare(eve, product.id, "100");
    await moveTo(now_ms + 1_801_000);
    await reverts(scene.earn(eve, "subscribe", subscribeArgs(late)), "VoucherExpired");
  });

  it("INV-5: the contract covers every principal, and what is indexed is what it holds", async () => {
    const { access_token } = await scene.platform.adminSignIn();
    const reply = await scene.platform.get("/api/v1/admin/invariants", access_token);
    const { invariants } = accepted<{ invariants: { code: string; ok: boolean; detail: string }[] }>(reply);
    const earn = invariants.find(({ code }) => code === "INV-5");
    assert.equal(earn?.ok, true, earn?.detail);
    assert.match(earn!.detail, /principal \d+\.\d{6} USDT, at block \d+$/);
  });
});
