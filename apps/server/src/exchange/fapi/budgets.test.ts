import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import type { CommandLog } from "../../kernel/journal/command-log.ts";
import { type Bench, type BenchOptions, createBench, limitOrder as limit, ok, refused } from "./testing.ts";

const alice = "0xa11ce";
const bob = "0xb0b";
const NOTHING_TO_REDUCE = -2022;

describe("the budgets of the exchange-style interface", () => {
  let bench: Bench;

  async function open(options: BenchOptions): Promise<void> {
    bench = await createBench(options);
    await bench.price("BTCUSDT", 60_000);
    await bench.trader("a11ce", 100_000);
    await bench.trader("b0b", 100_000);
  }
  afterEach(() => bench.close());

  const place = (changes: Parameters<typeof limit>[0] = {}, who = alice) =>
    bench.call("POST", "/fapi/v1/order", limit({ price: "58000", quantity: "0.001", ...changes }), who);
  const cancel = (orderId: number) => bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId }, alice);
  const batch = (orders: readonly object[]) =>
    bench.call("POST", "/fapi/v1/batchOrders", { batchOrders: JSON.stringify(orders) }, alice);
  const ping = () => bench.call("GET", "/fapi/v1/ping");
  const tooMany = async (reply: ReturnType<Bench["call"]>) => refused(await reply, -1003, undefined, 429);

  describe("orders of an account", () => {
    it("SEC-10: are counted, -1015 beyond; reduce-only has a fifth more, which nobody else uses up; cancels are free", async () => {
      await open({ environment: { RATE_LIMIT_ORDERS_10S: "10", RATE_LIMIT_ORDERS_1M: "1000" } });
      for (let i = 1; i <= 8; i += 1) {
        const reply = await place();
        assert.equal(reply.headers["x-mbx-order-count-10s"], String(i));
        assert.equal(reply.headers["x-mbx-order-count-1m"], String(i));
      }
      const over = await batch([limit(), limit(), limit()]);
      refused(over, -1015, "Too many new orders.", 429);
      assert.ok(Number(over.headers["retry-after"]) >= 1);
      refused(await place(), -1015, undefined, 429);
      refused(await place({ reduceOnly: true }), NOTHING_TO_REDUCE);
      refused(await place(), -1015, undefined, 429);
      const closing = { reduceOnly: "true", ...limit() };
      assert.equal(ok<{ code: number }[]>(await batch([closing]))[0]?.code, NOTHING_TO_REDUCE);
      refused(await place({ reduceOnly: true }), -1015, undefined, 429);
      const cancelled = await cancel(1);
      assert.equal(ok(cancelled)["status"], "CANCELED");
      assert.equal(cancelled.headers["x-mbx-order-count-10s"], "16");
      ok(await place({}, bob));
    });

    it("FUT-16: the count is judged before what was sent", async () => {
      await open({ environment: { RATE_LIMIT_ORDERS_10S: "1", RATE_LIMIT_ORDERS_1M: "1000" } });
      ok(await place());
      refused(await place({ symbol: "NOPE" }), -1015, undefined, 429);
      refused(await bench.call("POST", "/fapi/v1/batchOrders", { batchOrders: "x" }, alice), -1015, undefined, 429);
    });

    it("every reply about orders carries the counts", async () => {
      await open({});
      ok(await place());
      const symbol = "BTCUSDT";
      const replies = [
        await cancel(1),
        await cancel(99),
        await bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol }, alice),
        await bench.call("DELETE", "/fapi/v1/algoOpenOrders", { symbol }, alice),
        await bench.call("DELETE", "/fapi/v1/batchOrders", { symbol, orderIdList: "[1]" }, alice),
        await bench.call("DELETE", "/fapi/v1/algoOrder", { algoId: 1 }, alice),
      ];
      for (const { headers } of replies) {
        assert.deepEqual([headers["x-mbx-order-count-10s"], headers["x-mbx-order-count-1m"]], ["1", "1"]);
      }
      const broken = await bench.call("PUT", "/fapi/v1/batchOrders", { batchOrders: "x" }, alice);
      assert.equal(broken.headers["x-mbx-order-count-10s"], "2");
    });
  });

  describe("the weight of an address", () => {
    /** An order and 19 pings use up a budget of 20, of which 4 are reserved. */
    async function useUp(options: BenchOptions = {}): Promise<void> {
      await open({ ...options, environment: { RATE_LIMIT_WEIGHT_1M: "20" } });
      ok(await place());
      for (let used = 2; used <= 20; used += 1) {
        assert.equal((await ping()).headers["x-mbx-used-weight-1m"], String(used));
      }
    }

    it("SEC-10: beyond it is 429, and cancels have a fifth more, which others do not use up", async () => {
      await useUp();
      await tooMany(ping());
      await tooMany(place());
      assert.equal(ok(await cancel(1))["status"], "CANCELED");
      await tooMany(ping());
      for (let i = 0; i < 3; i += 1) refused(await cancel(1), -2011);
      const over = await cancel(1);
      refused(over, -1003, undefined, 429);
      assert.ok(Number(over.headers["retry-after"]) >= 1);
    });

    it("SEC-10: so have orders that reduce, in the query, in the body and in batches", async () => {
      await useUp();
      refused(await place({ reduceOnly: "true" }), NOTHING_TO_REDUCE);
      const form = "symbol=BTCUSDT&side=SELL&type=LIMIT&timeInForce=GTC&quantity=1&price=60000&reduceOnly=TRUE";
      refused(await bench.callForm("POST", "/fapi/v1/order", form, alice), NOTHING_TO_REDUCE);
      await tooMany(bench.callForm("POST", "/fapi/v1/order", form.replace("TRUE", "false"), alice));
      await tooMany(batch([limit({ reduceOnly: "true" }), limit()]));
      const close = { symbol: "BTCUSDT", side: "SELL", type: "STOP_MARKET", triggerPrice: "59000" };
      const algo = { ...close, algoType: "CONDITIONAL", closePosition: "true" };
      ok(await bench.call("POST", "/fapi/v1/algoOrder", algo, alice));
    });

    it("SEC-10: a batch whose orders all reduce passes as one", async () => {
      await open({ environment: { RATE_LIMIT_WEIGHT_1M: "25" } });
      for (let used = 1; used <= 25; used += 1) ok(await ping());
      await tooMany(batch([limit(), limit({ reduceOnly: true })]));
      const replies = ok<{ code: number }[]>(await batch([limit({ reduceOnly: true }), limit({ reduceOnly: "true" })]));
      assert.deepEqual(
        replies.map(({ code }) => code),
        [NOTHING_TO_REDUCE, NOTHING_TO_REDUCE],
      );
      await tooMany(batch([limit({ reduceOnly: true })]));
    });

    it("FUT-16: it is judged before the key and before what was sent", async () => {
      await useUp();
      await tooMany(bench.call("POST", "/fapi/v1/order", limit()));
      await tooMany(bench.call("POST", "/fapi/v1/order", { symbol: "NOPE" }, alice));
      await tooMany(bench.callForm("POST", "/fapi/v1/order?reduceOnly=%zz", "", alice));
      refused(await bench.call("POST", "/fapi/v1/order", limit({ reduceOnly: "true" })), -1002, undefined, 401);
    });

    it("SEC-10: whoever goes on is banned with 418, cancels included, and told how much was used", async () => {
      await useUp();
      for (let i = 0; i < 10; i += 1) await tooMany(ping());
      refused(await ping(), -1003, /banned until/, 418);
      const banned = await cancel(1);
      refused(banned, -1003, /banned until/, 418);
      assert.equal(banned.headers["x-mbx-used-weight-1m"], "31");
      assert.ok(Number(banned.headers["retry-after"]) > 100);
    });

    it("WIRE-1: the platform's own bots have no limit, and use up nobody else's", async () => {
      await useUp({ hasRaisedLimits: (apiKey) => apiKey === bob });
      const asBot = () =>
        bench.app.inject({
          method: "GET",
          url: "/fapi/v1/ping",
          headers: { host: "127.0.0.1:8080", "x-mbx-apikey": bob },
        });
      for (let used = 1; used <= 30; used += 1) {
        const reply = await asBot();
        assert.deepEqual([reply.statusCode, reply.headers["x-mbx-used-weight-1m"]], [200, String(used)]);
      }
      assert.equal((await bench.limits.weight.peek("127.0.0.1")).used, 20);
      for (let i = 0; i < 11; i += 1) await ping();
      refused(await ping(), -1003, undefined, 418);
      ok(await asBot());
    });

    it("SEC-10: Service Unavailable. gives back what was taken, also to the reserve", async () => {
      let isBroken = false;
      const log: CommandLog = {
        append: async () => {
          if (isBroken) throw new Error("disk gone");
        },
        close: async () => {},
      };
      await useUp({ log });
      isBroken = true;
      refused(await cancel(1), -1006, undefined, 503);
      for (let i = 0; i < 6; i += 1) refused(await cancel(1), -1016, "Service Unavailable.", 503);
      assert.equal((await bench.limits.weight.peek("127.0.0.1")).used, 21);
    });
  });
});
