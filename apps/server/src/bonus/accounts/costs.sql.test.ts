import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BonusLedger } from "@bourse/api";
import { HOUR_ms } from "../../kernel/dates.ts";
import { assertRefusesBadPages, assertWalksOnce, type ListUnderTest } from "../../testing/page-walk.ts";
import { BonusScene } from "./testing/bonus-scene.ts";

describe("trading on a bonus", () => {
  let scene: BonusScene;
  before(async () => {
    scene = await BonusScene.open();
  });
  after(() => scene.end());

  it("WIRE-5: a wallet that never had a bonus, and one that has one", async () => {
    await scene.price("60000");
    const trader = scene.newTrader();
    const nothing = await scene.me(trader);
    assert.deepEqual(nothing, {
      status: "none",
      amount: "0.00",
      bonus_free: "0.00",
      bonus_locked: "0.00",
      bonus_consumed: "0.00",
      slippage: "0.00",
      slippage_budget: "0.00",
      bonus_owed: "0.00",
      max_leverage: null,
      grant_tier: null,
      granted_at: null,
      expires_at: null,
    });
    assert.deepEqual(await scene.lines(trader), []);
    const now_ms = scene.platform.clock.now();
    await scene.grant(trader, "500.123456", 7);
    assert.deepEqual(await scene.me(trader), {
      status: "active",
      amount: "500.123456",
      bonus_free: "500.123456",
      bonus_locked: "0.00",
      bonus_consumed: "0.00",
      slippage: "0.00",
      slippage_budget: "25.006172",
      bonus_owed: "0.00",
      max_leverage: 7,
      grant_tier: "COMMUNITY",
      granted_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + 7 * 24 * HOUR_ms).toISOString(),
    });
    assert.deepEqual(await scene.lines(trader), [["GRANT", "500.123456"]]);
  });

  it("BON-7: bonus 30, principal 100, a loss of 100: the bonus pays 30, principal 70", async () => {
    await scene.price("60000");
    // Principal and bonus share the fees of opening (0.60) and closing (0.55); 100 and 30 are left for the loss.
    const trader = await scene.trader("100.575", "30.575");
    await scene.take(trader, "BUY", "0.02", "60000");
    await scene.price("55000");
    await scene.take(trader, "SELL", "0.02", "55000");
    const { principal, bonus, withdrawable } = await scene.account(trader);
    assert.deepEqual([principal, bonus, withdrawable], ["30.00", "0.00", "30.00"]);
    const consumed = (await scene.lines(trader)).filter(([kind]) => kind.startsWith("CONSUME"));
    assert.deepEqual(consumed, [
      ["CONSUME_FEE", "0.30"],
      ["CONSUME_FEE", "0.275"],
      ["CONSUME_LOSS", "30.00"],
    ]);
    const { status, bonus_consumed, bonus_free } = await scene.me(trader);
    assert.deepEqual([status, bonus_consumed, bonus_free], ["recalled", "30.575", "0.00"]);
  });

  it("BON-7: bonus 500, principal 5, a fee of 20: principal pays 5, the bonus 15", async () => {
    await scene.price("50000");
    const trader = await scene.trader("10", "505");
    await scene.setLeverage(trader, 50);
    // A fee of 10, half paid by each: 5 and 500 are left.
    await scene.take(trader, "BUY", "0.4", "50000");
    const before = await scene.account(trader);
    assert.deepEqual([before.principal, before.bonus], ["5.00", "500.00"]);
    // Unrealised profit is the margin of the next order; its fee is 20.
    await scene.price("62500");
    await scene.take(trader, "BUY", "0.64", "62500");
    const { principal, bonus } = await scene.account(trader);
    assert.deepEqual([principal, bonus], ["0.00", "485.00"]);
    const fees = (await scene.lines(trader)).filter(([kind]) => kind === "CONSUME_FEE");
    assert.deepEqual(fees, [
      ["CONSUME_FEE", "5.00"],
      ["CONSUME_FEE", "15.00"],
    ]);
    await scene.take(trader, "SELL", "1.04", "62500");
  });

  it("BON-7: the odd unit of a fee is principal's", async () => {
    await scene.price("60000.1");
    const trader = await scene.trader("100", "100");
    // 30,000.05 micros, so 30,001.
    await scene.take(trader, "BUY", "0.001", "60000.1");
    const { principal, bonus } = await scene.account(trader);
    assert.deepEqual([principal, bonus], ["99.984999", "99.985"]);
    await scene.take(trader, "SELL", "0.001", "60000.1");
  });

  it("BON-7: funding paid is shared, funding received goes to principal", async () => {
    await scene.price("60000");
    const long = await scene.trader("1000", "1000");
    const short = await scene.trader("1000", "1000");
    await scene.take(long, "BUY", "0.1", "60000");
    await scene.take(short, "SELL", "0.1", "60000");
    const before = [await scene.account(long), await scene.account(short)];
    await scene.advance(HOUR_ms);
    const after_ = [await scene.account(long), await scene.account(short)];
    const micros = (text: string | undefined) => BigInt(Math.round(Number(text) * 1e6));
    const change = (at: number, field: "principal" | "bonus") =>
      micros(after_[at]?.[field]) - micros(before[at]?.[field]);
    const paid = -(change(0, "principal") + change(0, "bonus"));
    assert.ok(paid > 0n, "longs pay");
    assert.equal(-change(0, "bonus"), paid / 2n);
    assert.ok(change(1, "principal") > 0n && change(1, "principal") <= paid);
    assert.equal(change(1, "bonus"), 0n);
    const last = (await scene.lines(long)).filter(([kind]) => kind === "CONSUME_FUNDING");
    assert.equal(last.length, 1);
    assert.equal(micros(last[0]?.[1]), paid / 2n);
    await scene.take(long, "SELL", "0.1", "60000");
    await scene.take(short, "BUY", "0.1", "60000");
  });

  it("BON-10: profit is principal and can be withdrawn, the bonus never", async () => {
    await scene.price("60000");
    const trader = await scene.trader("0", "500");
    const refused = await scene.call(trader, "POST", "/api/v1/withdraw/request", { amount: "0.000001" });
    assert.equal(refused.status, 400, JSON.stringify(refused.body));
    await scene.take(trader, "BUY", "0.01", "60000");
    await scene.price("61000");
    // Profit of 10 less the part of the fees that the bonus did not pay: the bonus paid all costs while principal was 0.
    await scene.take(trader, "SELL", "0.01", "61000");
    const { principal, bonus, withdrawable } = await scene.account(trader);
    assert.deepEqual([principal, bonus, withdrawable], ["10.00", "0.00", "10.00"]);
    assert.deepEqual((await scene.me(trader)).status, "recalled");
    assert.deepEqual((await scene.lines(trader)).at(-1), ["RECALL", "499.395"]);
    const tooMuch = await scene.call(trader, "POST", "/api/v1/withdraw/request", { amount: "10.000001" });
    assert.equal(tooMuch.status, 400, JSON.stringify(tooMuch.body));
    const all = await scene.call(trader, "POST", "/api/v1/withdraw/request", { amount: "10" });
    assert.equal(all.status, 200, JSON.stringify(all.body));
  });

  it("BON-10: with an open position half of its margin stays in principal", async () => {
    await scene.price("60000");
    const trader = await scene.trader("1000", "100", 10);
    await scene.take(trader, "BUY", "0.05", "60000");
    // Initial margin 300; fee 1.50, shared: 999.25 − max(150, 300 − 99.25).
    const { withdrawable } = await scene.account(trader);
    assert.equal(withdrawable, "798.50");
    const refused = await scene.call(trader, "POST", "/api/v1/withdraw/request", { amount: "798.500001" });
    assert.equal(refused.status, 400);
    await scene.take(trader, "SELL", "0.05", "60000");
  });

  it("BON-8: above 60 % no exposure against the net side: -4400; reducing and the same side pass", async () => {
    await scene.price("60000");
    const trader = await scene.trader("100", "200");
    await scene.setLeverage(trader, 20);
    await scene.take(trader, "BUY", "0.01", "60000");
    const refused = await scene.order(trader, { side: "SELL", quantity: "0.011", price: "60000" });
    assert.deepEqual([refused.status, refused.body.exchange_code], [400, -4400], JSON.stringify(refused.body));
    await scene.placed(trader, { side: "BUY", quantity: "0.001", price: "59000" });
    await scene.placed(trader, { side: "SELL", quantity: "0.01", price: "61000" });
    const turning = { side: "SELL", quantity: "0.005", price: "61000" } as const;
    assert.equal((await scene.order(trader, turning)).body.exchange_code, -4400);
    // With 40 more of principal the share is below 60 %.
    await scene.faucet(trader, "40");
    await scene.placed(trader, turning);
    await scene.take(trader, "SELL", "0.01", "60000");
  });

  it("BON-8: leverage is lowered to the grant's and stays within it (-4028), isolated mode is refused", async () => {
    await scene.price("60000");
    const trader = await scene.trader("1000");
    await scene.setLeverage(trader, 20);
    await scene.grant(trader, "100", 5);
    const refused = await scene.leverage(trader, 6);
    assert.deepEqual([refused.status, refused.body.code], [400, -4028]);
    const config = await scene.call(trader, "GET", "/fapi/v1/symbolConfig?symbol=BTCUSDT");
    assert.equal(config.body[0].leverage, 5, JSON.stringify(config.body));
    const isolated = await scene.call(trader, "POST", "/api/v1/account/margin-mode", {
      symbol: "BTCUSDT",
      margin_mode: "isolated",
    });
    assert.equal(isolated.status, 400, JSON.stringify(isolated.body));
    assert.equal((await scene.control("recall", trader)).status, 200);
    await scene.setLeverage(trader, 6);
  });

  it("BON-6: an order locks its part and unlocks it, the ledger says so page by page", async () => {
    await scene.price("60000");
    const trader = await scene.trader("100", "100", 10);
    const { id } = await scene.placed(trader, { side: "BUY", quantity: "0.01", price: "60000" });
    const { bonus_free, bonus_locked } = await scene.me(trader);
    assert.deepEqual([bonus_free, bonus_locked], ["70.00", "30.00"]);
    const cancelled = await scene.call(trader, "DELETE", `/api/v1/orders/${id}`);
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
    assert.equal((await scene.me(trader)).bonus_locked, "0.00");

    const page = (query: string) => scene.read<BonusLedger>(trader, `/api/v1/bonus/me/ledger?${query}`);
    const first = await page("limit=2");
    assert.deepEqual([first.total, first.items.map(({ kind }) => kind)], [3, ["GRANT", "LOCK"]]);
    assert.deepEqual(
      first.items.map(({ bonus_after, locked_after, consumed_after }) => [bonus_after, locked_after, consumed_after]),
      [
        ["100.00", "0.00", "0.00"],
        ["100.00", "30.00", "0.00"],
      ],
    );
    const second = await page(`limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([second.total, second.items.map(({ kind }) => kind), second.next_cursor], [-1, ["UNLOCK"], null]);
    const newest = await page("order=desc&limit=1");
    assert.deepEqual(newest.items, second.items);
    const clamped = await page("limit=100000");
    assert.equal(clamped.items.length, 3);
    const stranger = await scene.trader("1", "1");
    for (const [who, query] of [
      [trader, `cursor=${first.next_cursor}x`],
      [trader, "cursor=AAAA"],
      [trader, "limit=0"],
      [trader, "limit=2.5"],
      [trader, "order=up"],
      // A cursor of the same list of another wallet.
      [stranger, `cursor=${first.next_cursor}`],
      // A cursor of the opposite order.
      [trader, `order=desc&cursor=${first.next_cursor}`],
    ] as const) {
      const { status, body } = await scene.call(who, "GET", `/api/v1/bonus/me/ledger?${query}`);
      assert.equal(status, 400, `${query}: ${JSON.stringify(body)}`);
      assert.match(body.code, /^invalid_(cursor|field)$/);
    }
  });

  it("WIRE-8: /bonus/me/ledger answers items, as lines too, and is walked once while rows are added", async () => {
    await scene.price("60000");
    const trader = await scene.trader("100", "100", 10);
    const lock = () => scene.placed(trader, { side: "BUY", quantity: "0.001", price: "60000" });
    for (let count = 0; count < 3; count += 1) await lock();
    const list: ListUnderTest = {
      read: (query) => scene.call(trader, "GET", `/api/v1/bonus/me/ledger?${query}`),
      olderName: "lines",
      idOf: ({ kind, locked_after }) => [kind, locked_after],
    };
    await assertWalksOnce(list, lock);
    await assertWalksOnce(list, lock, { filter: "order=desc&", isNewestFirst: true });
    await assertRefusesBadPages(list, { cursor: "invalid_cursor", limit: "invalid_field" });
  });
});
