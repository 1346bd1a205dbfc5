import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ISOLATED } from "@bourse/engine";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { History } from "../history/history.ts";
import { MemoryLog } from "../host/command-log.ts";
import type { Applied } from "../host/exchange.ts";
import { projectorMigrations } from "../projector/migrations.ts";
import type { Projector } from "../projector/projector.ts";
import { createTestProjector } from "../projector/testing.ts";
import { fapiPolicy } from "./policy.ts";
import { type Bench, type Body, createBench, EPOCH_MS, ok, type Parameters, refused } from "./testing.ts";

const HOUR_MS = 3_600_000;

/** A log that can be made to take its time. */
class SlowLog extends MemoryLog {
  #gate = Promise.resolve();
  #open: () => void = () => {};
  #asked = Promise.withResolvers<void>();

  get isAsked(): Promise<void> {
    return this.#asked.promise;
  }

  hold(): void {
    const gate = Promise.withResolvers<void>();
    this.#gate = gate.promise;
    this.#open = gate.resolve;
    this.#asked = Promise.withResolvers<void>();
  }

  release(): void {
    this.#open();
  }

  override async append(records: readonly Uint8Array[]): Promise<void> {
    this.#asked.resolve();
    await this.#gate;
    await super.append(records);
  }
}

describe("history on the exchange-style interface", () => {
  const log = new SlowLog();
  let database: TestDatabase;
  let projector: Projector;
  let bench: Bench;
  let alice: string;
  let bob: string;

  before(async () => {
    database = await openTestDatabase(projectorMigrations);
    bench = await createBench({
      log,
      async history(exchange, clock) {
        const applied: Applied[] = [];
        exchange.listen((one) => applied.push(one));
        projector = await createTestProjector(database, {
          clock,
          async *reread(from, to) {
            yield* applied.slice(from - 1, to);
          },
        });
        exchange.listen(projector.hear);
        projector.start();
        return new History({ database, projector, clock, cursorKey: Buffer.from("a key that only these tests know") });
      },
    });
    await bench.price("BTCUSDT", 60_000);
    alice = await bench.trader("a11ce", 100_000);
    bob = await bench.trader("b0b", 100_000);
  });
  after(async () => {
    await bench.close();
    await projector.stop();
    await database.close();
  });

  const get = async <T = Body[]>(name: string, parameters: Parameters = {}, who = alice) =>
    ok<T>(await bench.call("GET", `/fapi/v1/${name}`, { symbol: "BTCUSDT", ...parameters }, who));
  const order = async (who: string, side: string, quantity: string, price: string, more: Parameters = {}) => {
    const parameters = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", quantity, price, ...more };
    return ok(await bench.call("POST", "/fapi/v1/order", parameters, who));
  };

  it("INV-7: an order that has just ended is found at once, by id, by client id and by our own", async () => {
    const placed = await order(alice, "BUY", "0.1", "59000", { newClientOrderId: "one" });
    bench.clock.advance(10);
    const cancelled = ok(
      await bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", origClientOrderId: "one" }, alice),
    );
    const expected = { ...cancelled, time: EPOCH_MS };
    for (const name of [
      { orderId: Number(placed["orderId"]) },
      { origClientOrderId: "one" },
      { origClientOrderId: `bourse-${placed["orderId"]}` },
    ]) {
      assert.deepEqual(await get<Body>("order", name), expected);
    }
    refused(
      await bench.call("GET", "/fapi/v1/openOrder", { symbol: "BTCUSDT", origClientOrderId: "one" }, alice),
      -2013,
    );
    refused(
      await bench.call("GET", "/fapi/v1/order", { symbol: "ETHUSDT", orderId: Number(placed["orderId"]) }, alice),
      -2013,
    );
    refused(
      await bench.call("GET", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: Number(placed["orderId"]) }, bob),
      -2013,
    );
  });

  it("allOrders and userTrades show both sides of a trade under one id", async () => {
    const ask = await order(bob, "SELL", "0.2", "60000");
    const bid = await order(alice, "BUY", "0.1", "60000");
    const orders = await get("allOrders");
    assert.deepEqual(
      orders.map(({ status }) => status),
      ["CANCELED", "FILLED"],
    );
    assert.deepEqual((await get("allOrders", { orderId: Number(bid["orderId"]) })).length, 1);
    const [own] = await get("userTrades");
    assert.deepEqual(own, {
      id: 1,
      orderId: bid["orderId"],
      symbol: "BTCUSDT",
      side: "BUY",
      positionSide: "BOTH",
      price: "60000.0",
      qty: "0.100",
      quoteQty: "6000.00",
      commission: "3.00",
      commissionAsset: "USDT",
      realizedPnl: "0.00",
      time: EPOCH_MS + 10,
      buyer: true,
      maker: false,
    });
    const [other] = await get("userTrades", { orderId: Number(ask["orderId"]) }, bob);
    assert.deepEqual([other!["id"], other!["maker"], other!["buyer"], other!["commission"]], [1, true, false, "1.20"]);
    assert.deepEqual(await get("userTrades", { fromId: 2 }), []);
    assert.deepEqual((await get("historicalTrades"))[0], {
      id: 1,
      price: "60000.0",
      qty: "0.100",
      quoteQty: "6000.00",
      time: EPOCH_MS + 10,
      isBuyerMaker: false,
    });
    const week = 7 * 24 * HOUR_MS;
    refused(
      await bench.call("GET", "/fapi/v1/allOrders", { symbol: "BTCUSDT", startTime: 1, endTime: week + 2 }, alice),
      -1127,
    );
  });

  it("income: what came and went, signed, by type", async () => {
    await order(alice, "SELL", "0.1", "60100");
    await order(bob, "BUY", "0.1", "60100");
    const lines = await get("income", { symbol: undefined });
    assert.deepEqual(
      lines.map(({ incomeType, income, symbol, tradeId }) => [incomeType, income, symbol, tradeId]),
      [
        ["TRANSFER", "100000.00", "", ""],
        ["COMMISSION", "-3.00", "BTCUSDT", "1"],
        ["REALIZED_PNL", "10.00", "BTCUSDT", "2"],
        ["COMMISSION", "-1.202", "BTCUSDT", "2"],
      ],
    );
    assert.equal((await get("income", { incomeType: "REALIZED_PNL" })).length, 1);
    assert.ok(lines.every(({ tranId }) => Number.isInteger(tranId)));
  });

  it("FUT-14: fundingRate after a settlement, oldest first", async () => {
    bench.clock.advanceTo(EPOCH_MS + HOUR_MS);
    const hour = (EPOCH_MS + HOUR_MS) / HOUR_MS;
    await bench.submit({ kind: "apply_funding", market: 0, rate_e8: 1_250, hour });
    await projector.waitForAll(5_000);
    assert.deepEqual(await get("fundingRate"), [
      { symbol: "BTCUSDT", fundingRate: "0.0000125", fundingTime: EPOCH_MS + HOUR_MS, markPrice: "60000.0" },
    ]);
    assert.equal((await get("premiumIndex").then((row) => row as unknown as Body))["lastFundingRate"], "0.0000125");
  });

  it("FUT-7: orderAmendment tells how an order was modified", async () => {
    const placed = await order(alice, "BUY", "0.1", "59000");
    const orderId = Number(placed["orderId"]);
    ok(
      await bench.call("PUT", "/fapi/v1/order", { symbol: "BTCUSDT", orderId, quantity: "0.2", price: "59100" }, alice),
    );
    const [amendment] = await get("orderAmendment", { orderId });
    assert.deepEqual(amendment!["amendment"], {
      price: { before: "59000.0", after: "59100.0" },
      origQty: { before: "0.100", after: "0.200" },
      count: 1,
    });
    assert.deepEqual(
      [amendment!["orderId"], amendment!["symbol"], amendment!["pair"]],
      [orderId, "BTCUSDT", "BTCUSDT"],
    );
    ok(await bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, alice));
  });

  it("FUT-8: conditional orders after they fired or were cancelled, on both interfaces", async () => {
    await bench.price("BTCUSDT", 60_200);
    ok(await bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, bob));
    await order(bob, "SELL", "1", "60400");
    const base = { symbol: "BTCUSDT", side: "BUY", quantity: "0.1", workingType: "MARK_PRICE" };
    const algo = ok(
      await bench.call(
        "POST",
        "/fapi/v1/algoOrder",
        { ...base, algoType: "CONDITIONAL", type: "STOP_MARKET", triggerPrice: "60300" },
        alice,
      ),
    );
    const stop = ok(
      await bench.call("POST", "/fapi/v1/order", { ...base, type: "STOP", stopPrice: "60300", price: "60400" }, alice),
    );
    await bench.price("BTCUSDT", 60_300);
    const ended = ok(await bench.call("GET", "/fapi/v1/algoOrder", { algoId: Number(algo["algoId"]) }, alice));
    assert.equal(ended["algoStatus"], "FINISHED");
    assert.equal(ended["actualPrice"], "60400.0");
    assert.match(String(ended["actualOrderId"]), /^\d+$/);
    assert.equal(ended["triggerTime"], bench.clock.now());
    const fired = await get<Body>("order", { orderId: Number(stop["orderId"]) });
    assert.deepEqual(
      [fired["status"], fired["type"], fired["origType"], fired["stopPrice"], fired["avgPrice"]],
      ["FILLED", "LIMIT", "STOP", "60300.0", "60400.0"],
    );
    assert.deepEqual(
      (await get("allAlgoOrders")).map(({ algoStatus }) => algoStatus),
      ["FINISHED"],
    );
  });

  it("positionMargin/history", async () => {
    const carol = await bench.trader("ca401", 2_000);
    await bench.submit({ kind: "set_margin_mode", account: bench.accounts.get(carol)!, market: 0, mode: ISOLATED });
    await order(carol, "BUY", "0.1", "60400");
    ok(await bench.call("POST", "/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount: "100", type: 1 }, carol));
    ok(await bench.call("POST", "/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount: "40.5", type: 2 }, carol));
    const moves = await get("positionMargin/history", {}, carol);
    assert.deepEqual(
      moves.map(({ type, amount, asset }) => [type, amount, asset]),
      [
        [1, "100.00", "USDT"],
        [2, "40.50", "USDT"],
      ],
    );
    assert.equal((await get("positionMargin/history", { type: 2 }, carol)).length, 1);
  });

  it("FUT-12: forceOrders shows the order by which a position was liquidated", async () => {
    const dave = await bench.trader("da4e", 700);
    await order(bob, "SELL", "0.1", "60400");
    await order(dave, "BUY", "0.1", "60400");
    await order(alice, "BUY", "1", "57000");
    await bench.price("BTCUSDT", 53_800);
    const [forced] = await get("forceOrders", { symbol: undefined }, dave);
    assert.deepEqual([forced!["side"], forced!["status"], forced!["reduceOnly"]], ["SELL", "FILLED", true]);
    assert.deepEqual(await get("forceOrders", { autoCloseType: "ADL" }, dave), []);
  });

  it("a cancel that is sent together with its order finds it; of two cancels one is told that it is gone", async () => {
    const placing = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.01",
      price: "52000",
    };
    const one = { symbol: "BTCUSDT", origClientOrderId: "quick" };
    log.hold();
    const replies = [bench.call("POST", "/fapi/v1/order", { ...placing, newClientOrderId: "quick" }, alice)];
    await log.isAsked;
    replies.push(
      bench.call("DELETE", "/fapi/v1/order", one, alice),
      bench.call("DELETE", "/fapi/v1/order", one, alice),
    );
    while (bench.exchange.waiting < 3) await new Promise((resolve) => setImmediate(resolve));
    log.release();
    const [placed, ...cancels] = await Promise.all(replies);
    assert.equal(ok(placed!)["status"], "NEW");
    const outcomes = cancels.map((reply) => reply.json<Body>()).map(({ status, code }) => status ?? code);
    assert.deepEqual(outcomes, ["CANCELED", -2011]);
  });

  it("no read faults, whatever it is asked", async () => {
    const reads = Object.keys(fapiPolicy).filter((name) => name.startsWith("GET "));
    const hostile: readonly Parameters[] = [
      { orderId: Number.MAX_SAFE_INTEGER, fromId: Number.MAX_SAFE_INTEGER, algoId: Number.MAX_SAFE_INTEGER },
      { startTime: 0, endTime: 8.64e15, limit: 1500, page: 100_000 },
      { startTime: 8.64e15, limit: 1 },
      { endTime: 0, page: 100_000, limit: 1000 },
      { orderId: 0, fromId: 0, algoId: 0, origClientOrderId: "' or 1=1 --", clientAlgoId: "\u0000" },
      { origClientOrderId: "\u0000x", clientAlgoId: "\ud83d\ude00" },
    ];
    for (const name of reads) {
      for (const parameters of hostile) {
        const fixed = { symbol: "BTCUSDT", pair: "BTCUSDT", interval: "1m", contractType: "PERPETUAL" };
        const reply = await bench.call("GET", name.slice(4), { ...fixed, ...parameters }, alice);
        assert.ok(reply.statusCode < 500, `${name} ${JSON.stringify(parameters)}: ${reply.statusCode} ${reply.body}`);
      }
    }
  });

  it("klines that begin before memory does come from the database", async () => {
    await projector.waitForAll(5_000);
    const start = { interval: "1h", startTime: EPOCH_MS - 5 * HOUR_MS, endTime: EPOCH_MS };
    const rows = (await get("klines", start)) as unknown as unknown[][];
    assert.equal(rows.at(-1)?.[0], EPOCH_MS);
    assert.deepEqual(rows.at(-1)?.slice(1, 5), ["60000.0", "60100.0", "60000.0", "60100.0"]);
  });
});
