import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { policyOf } from "../../kernel/http/routes.ts";
import { type Body, createBench, type Parameters, refused } from "./testing.ts";

const bench = await createBench();
const rows = Object.entries(policyOf(bench.app))
  .filter(([name]) => / \/(?:fapi|futures\/data)\//.test(name))
  .map(([name, access]) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, method: method as "GET" | "POST" | "PUT" | "DELETE", path, access };
  });

/** Invalid values for every parameter that some route reads. */
const HOSTILE: readonly Parameters[] = [
  {},
  { symbol: "BTCUSDT" },
  { symbol: "BTCUSDT", orderId: "9".repeat(40), algoId: "-1", fromId: "1e99", limit: "-1", startTime: "x" },
  {
    symbol: "BTCUSDT",
    pair: "BTCUSDT",
    interval: "1m",
    contractType: "PERPETUAL",
    limit: 1500,
    startTime: 0,
    endTime: 8.64e15,
  },
  { symbol: "BTCUSDT", interval: "1d", endTime: 1, page: 100_000, limit: 1 },
  { symbol: "__proto__", pair: "constructor", interval: "toString", batchOrders: "[[[[[[", orderIdList: "[null]" },
  {
    symbol: "BTCUSDT",
    orderId: 1,
    origClientOrderId: "\u0000",
    clientAlgoId: "'; --",
    algoId: 1,
    quantity: "1",
    price: "1",
  },
  { symbol: "BTCUSDT", amount: "0.0000001", type: 2, leverage: "999999999999999", marginType: "{}", countdownTime: -1 },
];

describe("the policy of the exchange-style interface", () => {
  before(async () => {
    await bench.price("BTCUSDT", 60_000);
    await bench.trader("a11ce", 1_000);
  });
  after(() => bench.close());

  it("SEC-6: every route has a weight", () => {
    for (const { name, access } of rows) {
      assert.ok((access.weight ?? 0) >= 1, name);
      assert.equal(access.area, "fapi");
    }
  });

  it("SEC-6: reading needs READ, what changes something TRADE; the stream and old trades only the key", () => {
    const isKeyOnly = (path: string) => path.endsWith("/listenKey") || path.endsWith("/historicalTrades");
    for (const { name, method, path, access } of rows) {
      if (access.allow === "anyone") assert.equal(method, "GET", name);
      else if (isKeyOnly(path)) assert.equal(access.apiKey, "KEY_ONLY");
      else assert.equal(access.apiKey, method === "GET" ? "READ" : "TRADE", name);
    }
  });

  it("whatever no route answers is 404 in the interface's own words, and weighs", async () => {
    const requests = [
      ["GET", "/fapi/v1/nothing"],
      ["POST", "/fapi/v1/ping"],
      ["PATCH", "/fapi/v1/order"],
      ["OPTIONS", "/fapi/v1/order"],
    ] as const;
    for (const [method, url] of requests) {
      const reply = await bench.app.inject({ method, url, headers: { host: "127.0.0.1:8080" } });
      refused(reply, -1020, undefined, 404);
      assert.ok(Number(reply.headers["x-mbx-used-weight-1m"]) >= 1, `${method} ${url}`);
    }
  });

  it("SEC-10: every cancel may use the reserve, and every order that says it reduces", () => {
    for (const { name, method, path, access } of rows) {
      if (method === "DELETE" && !path.endsWith("/listenKey")) assert.equal(access.reserve, "all", name);
    }
    const placing = rows.filter(({ access }) => typeof access.reserve === "function").map(({ name }) => name);
    assert.deepEqual(placing, ["POST /fapi/v1/order", "POST /fapi/v1/batchOrders", "POST /fapi/v1/algoOrder"]);
  });

  for (const { name, method, path, access } of rows) {
    it(`${name} answers strangers and hostile input in its own words, and never with a fault`, async () => {
      for (const parameters of HOSTILE) {
        for (const who of [undefined, "0xa11ce", "0xnobody"]) {
          const reply = await bench.call(method, path, parameters, who);
          assert.ok(reply.statusCode < 500, `${reply.statusCode} ${reply.body}`);
          if (who === undefined && access.allow !== "anyone") assert.equal(reply.statusCode, 401);
          if (reply.statusCode === 200) continue;
          const body = reply.json<Body>();
          assert.ok(Number.isInteger(body["code"]) && Number(body["code"]) < 0, reply.body);
          assert.equal(typeof body["msg"], "string");
          assert.doesNotMatch(reply.body, /node_modules|\.ts:|at async/);
        }
      }
    });
  }
});
