import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { waitFor } from "../support/waiting.ts";
import { botKinds } from "./clients/all.ts";
import { type Bot, type ConditionalOrder, refused, type Side } from "./clients/bot.ts";
import { type ConformanceExchange, sharedExchange } from "./exchange.ts";

const QUANTITY = 0.01;

interface Firing {
  readonly order: ConditionalOrder;
  /** The other side's order in the book when it fires. */
  readonly against: { readonly side: Side; readonly price: number } | undefined;
  /** Pinned one after the other; the last one fires it. */
  readonly marks: readonly string[];
  /** Or a trade at this price fires it, in which the bot itself is the buyer. */
  readonly trade?: number;
  /** The taker's side that a fired limit order waits for. */
  readonly laterTaker?: Side;
  readonly fill: { readonly price: number; readonly fee: number; readonly isMaker: boolean };
}

/**
 * One of each type, both prices that can fire one, both fees. All start at a mark price of 60,000. A trade counts as a contract price
 * within 0.4 % of it: up to 60,240.
 */
const FIRINGS: readonly Firing[] = [
  {
    order: { type: "STOP_MARKET", side: "SELL", quantity: QUANTITY, trigger: 59_500, workingType: "MARK_PRICE" },
    against: { side: "BUY", price: 59_400 },
    marks: ["59450"],
    fill: { price: 59_400, fee: 0.297, isMaker: false },
  },
  {
    order: { type: "STOP_MARKET", side: "BUY", quantity: QUANTITY, trigger: 60_200, workingType: "CONTRACT_PRICE" },
    against: { side: "SELL", price: 60_250 },
    marks: [],
    trade: 60_200,
    fill: { price: 60_250, fee: 0.30125, isMaker: false },
  },
  {
    order: {
      type: "STOP",
      side: "SELL",
      quantity: QUANTITY,
      trigger: 59_500,
      price: 59_600,
      workingType: "MARK_PRICE",
    },
    against: undefined,
    marks: ["59500"],
    laterTaker: "BUY",
    fill: { price: 59_600, fee: 0.1192, isMaker: true },
  },
  {
    order: {
      type: "TAKE_PROFIT",
      side: "BUY",
      quantity: QUANTITY,
      trigger: 59_500,
      price: 59_600,
      workingType: "MARK_PRICE",
    },
    against: { side: "SELL", price: 59_550 },
    marks: ["59400"],
    fill: { price: 59_550, fee: 0.29775, isMaker: false },
  },
  {
    order: {
      type: "TAKE_PROFIT_MARKET",
      side: "SELL",
      quantity: QUANTITY,
      trigger: 60_200,
      workingType: "CONTRACT_PRICE",
    },
    against: { side: "BUY", price: 60_100 },
    marks: [],
    trade: 60_200,
    fill: { price: 60_100, fee: 0.3005, isMaker: false },
  },
];

/** Rises to 61,000, from where one percent is 60,390. */
const TRAILING: Firing = {
  order: {
    type: "TRAILING_STOP_MARKET",
    side: "SELL",
    quantity: QUANTITY,
    activate: 60_500,
    callback_percent: 1,
    workingType: "MARK_PRICE",
  },
  against: { side: "BUY", price: 60_200 },
  marks: ["61000", "60390.1", "60390"],
  fill: { price: 60_200, fee: 0.301, isMaker: false },
};

/** WIRE-11: as an order it is a plain stop at its stopPrice. */
const TRAILING_AS_ORDER: Firing = {
  order: { ...TRAILING.order, trigger: 59_500 },
  against: { side: "BUY", price: 59_400 },
  marks: ["61000", "59500"],
  fill: { price: 59_400, fee: 0.297, isMaker: false },
};

for (const { name, connect, canTriggerOrders } of botKinds) {
  describe(`order types: ${name}`, () => {
    let exchange: ConformanceExchange;
    let bot: Bot;
    let other: Bot;

    before(async () => {
      exchange = await sharedExchange();
      const [own, others] = await Promise.all([exchange.openTrader(), exchange.openTrader()]);
      [bot, other] = await Promise.all([connect(exchange.baseUrl, own), connect(exchange.baseUrl, others)]);
    });

    afterEach(async () => {
      await Promise.all([bot.cancelAll(), bot.cancelAllAlgos(), other.cancelAll()]);
      await exchange.pinPrice("BTCUSDT", "60000");
    });

    async function fire({ against, marks, trade, laterTaker }: Firing): Promise<void> {
      if (trade !== undefined) await other.limit({ side: "SELL", quantity: 0.001, price: trade });
      if (against !== undefined) await other.limit({ ...against, quantity: QUANTITY });
      for (const mark of marks) await exchange.pinPrice("BTCUSDT", mark);
      if (trade !== undefined) await bot.market("BUY", 0.001);
      if (laterTaker !== undefined) await other.market(laterTaker, QUANTITY);
    }

    async function assertFilled(orderId: string, { fill }: Firing): Promise<void> {
      const order = await bot.order(orderId);
      assert.deepEqual([order.status, order.filled, order.average], ["FILLED", QUANTITY, fill.price]);
      const fills = await bot.fills(orderId);
      assert.deepEqual(
        fills.map(({ price, quantity, fee, isMaker }) => ({ price, quantity, fee, isMaker })),
        [{ ...fill, quantity: QUANTITY }],
      );
      await exchange.pinPrice("BTCUSDT", "60000");
    }

    it("fills LIMIT orders GTC, IOC, FOK and GTX with exact fees", async () => {
      const resting = await other.limit({ side: "SELL", quantity: 0.03, price: 60_000, timeInForce: "GTX" });
      assert.deepEqual([resting.status, resting.filled], ["NEW", 0]);
      const fok = await bot.limit({ side: "BUY", quantity: 0.01, price: 60_000, timeInForce: "FOK" });
      assert.deepEqual([fok.status, fok.filled, fok.average], ["FILLED", 0.01, 60_000]);
      const ioc = await bot.limit({ side: "BUY", quantity: 0.01, price: 60_010, timeInForce: "IOC" });
      assert.deepEqual([ioc.status, ioc.filled, ioc.average], ["FILLED", 0.01, 60_000]);
      const gtc = await bot.limit({ side: "BUY", quantity: 0.02, price: 60_000 });
      assert.equal(gtc.filled, 0.01);
      const [taken] = await bot.fills(gtc.id);
      assert.deepEqual([taken?.fee, taken?.isMaker], [0.3, false]);
      const sold = await other.market("SELL", 0.01);
      assert.deepEqual([sold.status, sold.average], ["FILLED", 60_000]);
      const fills = await bot.fills(gtc.id);
      assert.deepEqual(
        fills.map(({ fee, isMaker }) => [fee, isMaker]),
        [
          [0.3, false],
          [0.12, true],
        ],
      );
      const made = await other.fills(resting.id);
      assert.deepEqual(
        made.map(({ fee }) => fee),
        [0.12, 0.12, 0.12],
      );
    });

    it("fills a MARKET order and lets the rest expire", async () => {
      await other.limit({ side: "BUY", quantity: 0.02, price: 59_990 });
      const sold = await bot.market("SELL", 0.04);
      assert.deepEqual([sold.status, sold.filled, sold.average], ["EXPIRED", 0.02, 59_990]);
      const [fill] = await bot.fills(sold.id);
      // Bought at 60,000, sold at 59,990.
      assert.deepEqual([fill?.fee, fill?.realized], [0.5999, -0.2]);
    });

    for (const firing of [...FIRINGS, TRAILING]) {
      const { type, side, workingType } = firing.order;
      it(`FUT-8: places, fires and fills a conditional ${type} ${side} on ${workingType}`, async () => {
        const id = await bot.conditional(firing.order);
        assert.deepEqual(await bot.algo(id), { status: "NEW", orderId: "" });
        assert.deepEqual(await bot.openAlgos(), [id]);
        assert.deepEqual(await bot.openOrders(), []);
        await fire(firing);
        const finished = await waitFor(
          async () => {
            const algo = await bot.algo(id);
            return algo.status === "FINISHED" ? algo : undefined;
          },
          { what: "the conditional order to finish" },
        );
        assert.deepEqual(await bot.openAlgos(), []);
        await assertFilled(finished.orderId, firing);
      });
    }

    it("FUT-8: refuses a trigger that would fire at once", async () => {
      const order = { ...FIRINGS[0]!.order, trigger: 60_100 };
      await refused(bot, bot.conditional(order), -2021);
      assert.deepEqual(await bot.openAlgos(), []);
    });

    it("FUT-8: closes the whole position, long or short, whatever its size", async () => {
      for (const [opening, closing, trigger, mark, price] of [
        ["BUY", "SELL", 59_500, "59400", 59_300],
        ["SELL", "BUY", 60_500, "60600", 60_700],
      ] as const) {
        const held = (await bot.position())?.quantity ?? 0;
        const wanted = opening === "BUY" ? 0.013 : -0.013;
        const change = Number((wanted - held).toFixed(3));
        const side = change > 0 ? "BUY" : "SELL";
        await other.limit({ side: side === "BUY" ? "SELL" : "BUY", quantity: Math.abs(change), price: 60_000 });
        await bot.market(side, Math.abs(change));
        assert.equal((await bot.position())?.quantity, wanted);
        const id = await bot.conditional({ type: "STOP_MARKET", side: closing, trigger, workingType: "MARK_PRICE" });
        await other.limit({ side: opening, quantity: 0.05, price });
        await exchange.pinPrice("BTCUSDT", mark);
        assert.equal(await bot.position(), undefined);
        const { orderId } = await waitFor(
          async () => {
            const algo = await bot.algo(id);
            return algo.status === "FINISHED" ? algo : undefined;
          },
          { what: "the closing order to finish" },
        );
        const [fill] = await bot.fills(orderId);
        assert.deepEqual([fill?.quantity, fill?.price, fill?.fee], [0.013, price, Number((price * 6.5e-6).toFixed(6))]);
        await other.cancelAll();
        await exchange.pinPrice("BTCUSDT", "60000");
      }
    });

    for (const firing of canTriggerOrders ? [...FIRINGS, TRAILING_AS_ORDER] : []) {
      const { type, side, workingType } = firing.order;
      it(`FUT-8: takes ${type} ${side} on ${workingType} at /fapi/v1/order, where it keeps its id`, async () => {
        const { id, status, filled } = await bot.conditionalAsOrder(firing.order);
        assert.deepEqual([status, filled], ["NEW", 0]);
        assert.deepEqual(
          (await bot.openOrders()).map((open) => open.id),
          [id],
        );
        assert.deepEqual(await bot.openAlgos(), []);
        await fire(firing);
        await assertFilled(id, firing);
      });
    }

    it("cancels conditional orders, one and all", async () => {
      const far = (trigger: number) =>
        bot.conditional({ type: "STOP_MARKET", side: "SELL", quantity: QUANTITY, trigger, workingType: "MARK_PRICE" });
      const ids = [await far(57_500), await far(57_400), await far(57_300)];
      await bot.cancelAlgo(ids[0]!);
      assert.deepEqual(await bot.openAlgos(), ids.slice(1));
      await bot.cancelAllAlgos();
      assert.deepEqual(await bot.openAlgos(), []);
      const canceled = await waitFor(
        async () => {
          const states = await Promise.all(ids.map((id) => bot.algo(id)));
          return states.every(({ status }) => status === "CANCELED");
        },
        { what: "the canceled orders" },
      );
      assert.equal(canceled, true);
      await refused(bot, bot.cancelAlgo(ids[0]!), -2011);
    });
  });
}
