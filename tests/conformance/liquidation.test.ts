import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { waitFor } from "../support/waiting.ts";
import { botKinds } from "./clients/all.ts";
import type { Bot } from "./clients/bot.ts";
import { type ConformanceExchange, sharedExchange, sum } from "./exchange.ts";

for (const { name, connect } of botKinds) {
  describe(`liquidation: ${name}`, () => {
    let exchange: ConformanceExchange;
    let bot: Bot;
    let other: Bot;

    before(async () => {
      exchange = await sharedExchange();
      const [own, others] = await Promise.all([exchange.openTrader(40), exchange.openTrader()]);
      [bot, other] = await Promise.all([connect(exchange.baseUrl, own), connect(exchange.baseUrl, others)]);
    });

    it("FUT-11: shows at which price a position would be liquidated", async () => {
      await bot.setLeverage(20);
      await bot.limit({ side: "BUY", quantity: 0.01, price: 60_000 });
      await other.market("SELL", 0.01);
      assert.equal(await bot.balance(), 39.88);
      const position = await bot.position();
      assert.deepEqual([position?.quantity, position?.entry], [0.01, 60_000]);
      // (39.88 − 600) / (0.0001 − 0.01)
      assert.equal(position?.liquidation.toFixed(4), "56577.7778");
      assert.deepEqual(await bot.forcedOrders(), []);
    });

    it("FUT-12: liquidates when the mark has passed it, and lists the order that did", async () => {
      await other.limit({ side: "BUY", quantity: 0.01, price: 56_400 });
      await exchange.pinPrice("BTCUSDT", "56578");
      assert.equal((await bot.position())?.quantity, 0.01);
      await exchange.pinPrice("BTCUSDT", "56577.7");
      assert.equal(await bot.position(), undefined);
      const forced = await waitFor(
        async () => {
          const orders = await bot.forcedOrders();
          return orders.length > 0 ? orders : undefined;
        },
        { what: "the forced order" },
      );
      assert.deepEqual(forced, [{ side: "SELL", quantity: 0.01, price: 56_400 }]);
      assert.deepEqual(await other.forcedOrders(), []);
      // Lost 36 on the position; 0.5 percent of 564 go to the fund.
      assert.deepEqual(await bot.income("REALIZED_PNL"), [-36]);
      assert.deepEqual(await bot.income("INSURANCE_CLEAR"), [-2.82]);
      const fees = await bot.income("COMMISSION");
      assert.deepEqual(fees, [-0.12]);
      assert.equal(await bot.balance(), sum([40, -36, -2.82, ...fees]));
      await exchange.pinPrice("BTCUSDT", "60000");
    });
  });
}
