import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOUR_ms } from "../../kernel/dates.ts";
import { type Body, EPOCH_MS, ok, type Parameters, refused } from "./testing.ts";
import { useHistory } from "./testing-history.ts";

describe("history on the exchange-style interface", () => {
  const past = useHistory();
  const { alice, bob, get, order } = past;

  it("INV-7: an order that has just ended is found at once, by id, by client id and by our own", async () => {
    const placed = await order(alice, "BUY", "0.1", "59000", { newClientOrderId: "one" });
    past.bench.clock.advance(10);
    const cancelled = ok(
      await past.bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", origClientOrderId: "one" }, alice),
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
      await past.bench.call("GET", "/fapi/v1/openOrder", { symbol: "BTCUSDT", origClientOrderId: "one" }, alice),
      -2013,
    );
    refused(
      await past.bench.call("GET", "/fapi/v1/order", { symbol: "ETHUSDT", orderId: Number(placed["orderId"]) }, alice),
      -2013,
    );
    refused(
      await past.bench.call("GET", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: Number(placed["orderId"]) }, bob),
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
    const week = 7 * 24 * HOUR_ms;
    refused(
      await past.bench.call("GET", "/fapi/v1/allOrders", { symbol: "BTCUSDT", startTime: 1, endTime: week + 2 }, alice),
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
    past.bench.clock.advanceTo(EPOCH_MS + HOUR_ms);
    const hour = (EPOCH_MS + HOUR_ms) / HOUR_ms;
    await past.bench.submit({ kind: "apply_funding", market: 0, rate_e8: 1_250, hour });
    await past.projected();
    assert.deepEqual(await get("fundingRate"), [
      { symbol: "BTCUSDT", fundingRate: "0.0000125", fundingTime: EPOCH_MS + HOUR_ms, markPrice: "60000.0" },
    ]);
    assert.equal((await get("premiumIndex").then((row) => row as unknown as Body))["lastFundingRate"], "0.0000125");
  });

  it("no read faults, whatever it is asked", async () => {
    const reads = past.bench.app.routes.filter(({ method }) => method === "GET").map(({ path }) => `GET ${path}`);
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
        const reply = await past.bench.call("GET", name.slice(4), { ...fixed, ...parameters }, alice);
        assert.ok(reply.statusCode < 500, `${name} ${JSON.stringify(parameters)}: ${reply.statusCode} ${reply.body}`);
      }
    }
  });

  it("klines that begin before memory does come from the database", async () => {
    await past.projected();
    const start = { interval: "1h", startTime: EPOCH_MS - 5 * HOUR_ms, endTime: EPOCH_MS };
    const rows = (await get("klines", start)) as unknown as unknown[][];
    assert.equal(rows.at(-1)?.[0], EPOCH_MS);
    assert.deepEqual(rows.at(-1)?.slice(1, 5), ["60000.0", "60100.0", "60000.0", "60100.0"]);
  });
});
