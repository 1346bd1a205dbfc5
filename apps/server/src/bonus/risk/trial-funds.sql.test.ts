import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DAY_ms, HOUR_ms } from "../../kernel/dates.ts";
import { BonusScene, type Trader } from "../accounts/testing/bonus-scene.ts";

const AVAX = "AVAXUSDT";

describe("three trial funds of 500 against a clean wallet, at the worst fair prices", () => {
  let scene: BonusScene;
  let clean: Trader;
  let trials: Trader[];
  before(async () => {
    scene = await BonusScene.open();
    await scene.price("30", AVAX);
    clean = await scene.trader("10000");
    trials = [];
    for (let fund = 0; fund < 3; fund += 1) trials.push(await scene.trader("0", "500", 10));
  });
  after(() => scene.end());

  const taken = async (who: Trader, side: "BUY" | "SELL", quantity: string, price: string, reduce_only = false) =>
    (await scene.order(who, { symbol: AVAX, side, quantity, price, time_in_force: "IOC", reduce_only })).status;
  const cleared = async () => {
    await scene.call(clean, "DELETE", `/fapi/v1/allOpenOrders?symbol=${AVAX}`);
  };
  const gainOf = async (who: Trader) => Number((await scene.account(who)).principal) - 10_000;
  const sync = () => scene.run("chain-sync");
  const withdrawals = async () =>
    (
      await scene.read<{ items: { id: string; status: string; reason: string | null; review_until: number | null }[] }>(
        clean,
        "/withdraw/list?order=desc",
      )
    ).items;

  it("BON-8: far prices are refused with the rule's name, in both interfaces", async () => {
    const [trial] = trials;
    const draft = { symbol: AVAX, side: "BUY", quantity: "60", price: "31" } as const;
    const { status, body } = await scene.order(trial!, draft);
    assert.deepEqual(
      [status, body.code, body.exchange_code, body.details.rule, body.details.limit],
      [400, "BONUS_FAIR_PRICE", -4016, "bonus_fair_price", "30.150"],
    );
    const low = await scene.order(trial!, { ...draft, side: "SELL", price: "29" });
    assert.deepEqual([low.body.exchange_code, low.body.details.rule], [-4024, "bonus_fair_price"]);
    const query = `symbol=${AVAX}&side=BUY&type=LIMIT&timeInForce=GTC&quantity=60&price=31`;
    const bot = await scene.call(trial!, "POST", `/fapi/v1/order?${query}`);
    assert.deepEqual([bot.body.code, bot.body.details.rule], [-4016, "bonus_fair_price"]);
  });

  it("VLT-3, BON-7: what the group gains is within the budgets of the grants, and none of it can be withdrawn", async () => {
    for (const trial of trials) {
      for (let round = 0; round < 12; round += 1) {
        await scene.placed(clean, { symbol: AVAX, side: "SELL", quantity: "100", price: "30.15" });
        await taken(trial, "BUY", "100", "30.15");
        await cleared();
        await scene.placed(clean, { symbol: AVAX, side: "BUY", quantity: "100", price: "29.85" });
        await taken(trial, "SELL", "99", "29.85", true);
        await cleared();
      }
    }
    const account = await scene.account(clean);
    const gain = await gainOf(clean);
    assert.ok(gain > 30, `gained ${gain}`);
    // Budgets of 25 and what principal could bear; the engine's own bound is 42 per 500.
    assert.ok(gain <= 3 * 42, `gained ${gain}`);
    assert.ok(Number(account.held_gains) >= gain, `held ${account.held_gains} of ${gain}`);
    assert.ok(Number(account.withdrawable) <= 10_000, account.withdrawable);
    const refused = await scene.call(clean, "POST", "/withdraw/request", { amount: account.principal });
    assert.deepEqual([refused.status, refused.body.code], [400, "WITHDRAWABLE_INSUFFICIENT"]);
    assert.match(refused.body.error, /gained from bonus accounts are held for 72 hours/);
    assert.equal(refused.body.details.held_gains, account.held_gains);
    const { items } = await scene.read<{ items: { reason: string; until: number }[] }>(clean, "/withdraw/holds");
    assert.deepEqual(new Set(items.map(({ reason }) => reason)), new Set(["held_gains"]));
    for (const { until } of items) assert.ok(until > scene.platform.clock.now() + 72 * HOUR_ms);
  });

  it("BON-12: the pairs are listed with their reasons, and withdrawals of the gains wait for review, 72 hours at most", async () => {
    const { held } = await scene.run("bonus-risk");
    assert.ok(Number(held) >= 1);
    const { body } = await scene.admin("GET", "/risk");
    const own = body.items.filter(({ wallets }: { wallets: string[] }) => wallets.includes(clean.address));
    assert.equal(own.length, 3);
    for (const { score, reasons, statuses } of own) {
      const kinds = reasons.map(({ kind }: { kind: string }) => kind);
      assert.ok(kinds.includes("off_mark") && kinds.includes("volume"), JSON.stringify(reasons));
      assert.ok(score >= 60);
      assert.ok(statuses.includes("none"));
    }
    // A second run counts no fill twice.
    await scene.run("bonus-risk");
    assert.deepEqual((await scene.admin("GET", "/risk")).body.items, body.items);

    // After 72 hours the engine lets the gains go; the review does not.
    await scene.advance(3 * DAY_ms + 2 * HOUR_ms);
    assert.equal((await scene.account(clean)).held_gains, "0.00");
    const { withdrawable } = await scene.account(clean);
    assert.equal((await scene.call(clean, "POST", "/withdraw/request", { amount: withdrawable })).status, 200);
    await sync();
    const [waiting] = await withdrawals();
    assert.deepEqual([waiting!.status, waiting!.reason], ["in_review", "linked_bonus"]);
    assert.ok(waiting!.review_until! <= scene.platform.clock.now() + 72 * HOUR_ms);
    await scene.advance(72 * HOUR_ms);
    await sync();
    const [gone] = await withdrawals();
    assert.equal(gone!.id, waiting!.id);
    assert.ok(["sent", "confirmed", "requested"].includes(gone!.status), gone!.status);
  });
});
