import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { waitFor } from "../support/waiting.ts";
import { botKinds } from "./clients/all.ts";
import { type Bot, type LimitOrder, refused } from "./clients/bot.ts";
import { type ConformanceExchange, sharedExchange } from "./exchange.ts";

const UNKNOWN_ID = "999999999";

const bid = (price: number, quantity = 0.01): LimitOrder => ({ side: "BUY", price, quantity });

for (const { name, connect, listsRefusedCancels } of botKinds) {
  describe(`managing orders: ${name}`, () => {
    let exchange: ConformanceExchange;
    let bot: Bot;
    let other: Bot;

    before(async () => {
      exchange = await sharedExchange();
      const [own, others] = await Promise.all([exchange.openTrader(), exchange.openTrader()]);
      [bot, other] = await Promise.all([connect(exchange.baseUrl, own), connect(exchange.baseUrl, others)]);
      // The cases of earlier clients have moved the clock.
      await Promise.all([bot.synchronize(), other.synchronize()]);
    });
    afterEach(() => Promise.all([bot.cancelAll(), other.cancelAll()]));

    it("places the valid orders of a batch and refuses the others, each at its index", async () => {
      await other.limit({ side: "SELL", price: 60_100, quantity: 0.01 });
      const { outcomes, ids } = await bot.placeBatch([
        bid(59_000),
        bid(59_000, 10),
        bid(58_900, 0.02),
        { ...bid(60_100), timeInForce: "GTX" },
        // Five percent and a tick above the mark.
        bid(63_000.1),
      ]);
      assert.deepEqual(outcomes, ["NEW", -2019, "NEW", -2010, -4016]);
      assert.deepEqual(await bot.openOrders(), [
        { id: ids[0], price: 59_000, quantity: 0.01 },
        { id: ids[1], price: 58_900, quantity: 0.02 },
      ]);
    });

    it("modifies a batch, each order on its own", async () => {
      const { ids } = await bot.placeBatch([bid(59_000), bid(58_900)]);
      const [first, second] = [ids[0]!, ids[1]!];
      const outcomes = await bot.modifyBatch([
        { ...bid(59_010, 0.015), id: first },
        { ...bid(59_000), id: UNKNOWN_ID },
        // A change without effect, and another side.
        { ...bid(58_900), id: second },
        { ...bid(58_900), side: "SELL", id: second },
      ]);
      assert.deepEqual(outcomes, ["NEW", -2013, -5027, -1117]);
      assert.deepEqual(await bot.openOrders(), [
        { id: first, price: 59_010, quantity: 0.015 },
        { id: second, price: 58_900, quantity: 0.01 },
      ]);
    });

    it("FUT-7: a modified order goes to the back of its queue", async () => {
      const own = await bot.limit(bid(59_000));
      const rival = await other.limit(bid(59_000));
      const changed = await bot.modify({ ...bid(59_000, 0.02), id: own.id });
      assert.deepEqual([changed.id, changed.status], [own.id, "NEW"]);
      const third = await connect(exchange.baseUrl, await exchange.openTrader());
      await third.synchronize();
      assert.equal((await third.market("SELL", 0.01)).average, 59_000);
      assert.deepEqual([(await bot.order(own.id)).filled, (await other.order(rival.id)).status], [0, "FILLED"]);
    });

    it("cancels a batch, and all that is open", async () => {
      const { ids } = await bot.placeBatch([bid(59_000), bid(58_900), bid(58_800)]);
      const outcomes = await bot.cancelBatch([ids[0]!, UNKNOWN_ID, ids[1]!]);
      const refusal = listsRefusedCancels ? [-2011] : [];
      assert.deepEqual(outcomes, ["CANCELED", ...refusal, "CANCELED"]);
      await bot.limit(bid(58_700));
      await bot.cancelAll();
      assert.deepEqual(await bot.openOrders(), []);
      assert.equal((await bot.order(ids[2]!)).status, "CANCELED");
    });

    it("checks an order without placing it", async () => {
      assert.deepEqual({ ...(await bot.testOrder(bid(59_000))) }, {});
      await refused(bot, bot.testOrder(bid(59_000, 10)), -2019);
      await refused(bot, bot.testOrder(bid(59_000.05)), -4014);
      await refused(bot, bot.testOrder(bid(59_000.005)), -1111);
      assert.deepEqual(await bot.openOrders(), []);
    });

    it("FUT-6: a reduce-only order takes no more than there is", async () => {
      await refused(bot, bot.market("SELL", 0.01, true), -2022);
      await other.limit({ side: "SELL", price: 60_000, quantity: 0.02 });
      await bot.market("BUY", 0.02);
      await other.limit({ side: "BUY", price: 59_990, quantity: 0.05 });
      const closed = await bot.market("SELL", 0.05, true);
      assert.deepEqual([closed.filled, closed.average, await bot.position()], [0.02, 59_990, undefined]);
      const [fill] = await bot.fills(closed.id);
      assert.deepEqual([fill?.fee, fill?.realized], [0.5999, -0.2]);
    });

    it("cancels everything when the countdown was not renewed", async () => {
      await bot.placeBatch([bid(59_000), bid(58_900)]);
      const spared = await other.limit(bid(58_800));
      assert.deepEqual(await bot.countdown(60_000), { symbol: "BTCUSDT", countdownTime: "60000" });
      await exchange.advanceClock(50_000);
      await bot.synchronize();
      assert.equal((await bot.openOrders()).length, 2);
      assert.deepEqual(await bot.countdown(60_000), { symbol: "BTCUSDT", countdownTime: "60000" });
      await exchange.advanceClock(50_000);
      await bot.synchronize();
      assert.equal((await bot.openOrders()).length, 2);
      await exchange.advanceClock(11_000);
      await Promise.all([bot.synchronize(), other.synchronize()]);
      await waitFor(async () => (await bot.openOrders()).length === 0, { what: "the countdown to end" });
      assert.equal((await other.order(spared.id)).status, "NEW");
    });

    it("keeps the orders when the countdown was stopped", async () => {
      const { id } = await bot.limit(bid(59_000));
      await bot.countdown(30_000);
      assert.equal((await bot.countdown(0)).countdownTime, "0");
      await exchange.advanceClock(40_000);
      await Promise.all([bot.synchronize(), other.synchronize()]);
      // Another account's countdown that ends at the same time: once it has fired, this one would have, too.
      await other.limit(bid(58_900));
      await other.countdown(1_000);
      await waitFor(async () => (await other.openOrders()).length === 0, { what: "the other countdown" });
      assert.equal((await bot.order(id)).status, "NEW");
    });
  });
}
