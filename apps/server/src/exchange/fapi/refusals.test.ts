import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { HALTED, REASONS, REDUCE_ONLY, TRADING, WIRE_CODES } from "@bourse/engine";
import type { CommandLog } from "../../kernel/journal/command-log.ts";
import { WindowTooLong } from "../../kernel/windows.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";
import { refusalOf } from "./refusals.ts";
import {
  type Bench,
  type BenchOptions,
  type Body,
  createBench,
  emptyHistory,
  limitOrder as limit,
  ok,
  type Parameters,
  refused,
} from "./testing.ts";

const stop = (changes: Parameters = {}): Parameters => ({
  symbol: "BTCUSDT",
  side: "SELL",
  type: "STOP_MARKET",
  quantity: "0.1",
  stopPrice: "59000",
  ...changes,
});

describe("refusals of the exchange-style interface", () => {
  let bench: Bench;
  let alice: string;
  let bob: string;

  async function open(options: BenchOptions = {}): Promise<void> {
    bench = await createBench(options);
    await bench.price("BTCUSDT", 60_000);
    alice = await bench.trader("a11ce", 100_000);
    bob = await bench.trader("b0b", 100_000);
  }
  afterEach(() => bench.close());

  const place = (who: string, parameters: Parameters) => bench.call("POST", "/fapi/v1/order", parameters, who);
  const post = (path: string, parameters: Parameters) => bench.call("POST", path, parameters, alice);

  it("every reason of the engine has a negative code and a text", () => {
    for (const reason of REASONS) {
      const { code, message } = refusalOf({ reason, limit: 1, actual: 2 });
      assert.ok(code < 0, reason);
      if (WIRE_CODES[reason] !== 0) assert.equal(code, WIRE_CODES[reason], reason);
      assert.ok(message.length > 0);
    }
    bench = { close: async () => {} } as Bench;
  });

  it("FUT-16: filters say which, the limit and what was asked", async () => {
    await open();
    const least = refused(
      await place(alice, limit({ price: "58000", quantity: "0.00008" })),
      -1013,
      "Filter failure: LOT_SIZE.",
    );
    assert.deepEqual(least, { rule: "lot_size", parameter: "quantity", limit: "0.001", actual: "0.00008" });
    await bench.price("AVAXUSDT", 3);
    const avax = limit({ symbol: "AVAXUSDT", price: "3", quantity: "1" });
    assert.deepEqual(refused(await place(alice, avax), -1013, "Filter failure: MIN_NOTIONAL."), {
      rule: "min_notional",
      limit: "5.00",
      actual: "3.00",
    });
    assert.deepEqual(refused(await place(alice, limit({ quantity: "200" })), -1013, "Filter failure: MAX_NOTIONAL."), {
      rule: "max_notional",
      limit: "10000000.00",
      actual: "12000000.00",
    });
    assert.deepEqual(
      refused(await place(alice, limit({ price: "63000.1" })), -4016, "Limit price can't be higher than 63000.0."),
      {
        rule: "price_above_band",
        limit: "63000.0",
        actual: "63000.1",
      },
    );
    refused(
      await place(alice, limit({ side: "SELL", price: "56999.9" })),
      -4024,
      "Limit price can't be lower than 57000.0.",
    );
  });

  it("FUT-9, FUT-10: margin -2019 and position limit -2027 with their figures", async () => {
    await open();
    const full = refused(await place(bob, limit({ quantity: "16.667" })), -2027);
    assert.deepEqual(full, { rule: "market_full", limit: "1000000.00", actual: "1000020.00" });
    await bench.seedFund();
    const details = refused(await place(bob, limit({ quantity: "17" })), -2019, "Margin is insufficient.");
    assert.deepEqual(details, { rule: "margin_insufficient", limit: "100000.00", actual: "102000.00" });
    const large = refused(
      await place(bob, limit({ quantity: "100" })),
      -2027,
      "Exceeded the maximum allowable position at current leverage.",
    );
    assert.deepEqual(large, { rule: "position_limit", limit: "5000000.00", actual: "6000000.00" });
  });

  it("FUT-2: 200 open orders (-2025) and 100 conditional orders (-4045) a symbol", async () => {
    await open();
    for (let i = 0; i < 200; i += 1) ok(await place(alice, limit({ price: "58000", quantity: "0.001" })));
    assert.deepEqual(refused(await place(alice, limit({ price: "58000", quantity: "0.001" })), -2025), {
      rule: "too_many_orders",
      limit: 200,
      actual: 200,
    });
    for (let i = 0; i < 100; i += 1) ok(await place(alice, stop()));
    refused(await place(alice, stop()), -4045, "Reach max stop order limit.");
  });

  it("markets that are halted, reduce-only or without a price", async () => {
    await open();
    refused(await place(alice, limit({ symbol: "ETHUSDT", price: "3000" })), -1020, "This market has no price yet.");
    await bench.submit({ kind: "set_market_status", market: 0, status: HALTED });
    refused(await place(alice, limit()), -1020, /halted/);
    await bench.submit({ kind: "set_market_status", market: 0, status: REDUCE_ONLY });
    refused(await place(alice, limit()), -4087, /reduce only/);
    const info = ok<{ symbols: Body[] }>(await bench.call("GET", "/fapi/v1/exchangeInfo"));
    assert.equal(info.symbols[0]!["status"], "REDUCE_ONLY");
    await bench.submit({ kind: "set_market_status", market: 0, status: TRADING });
    ok(await place(alice, limit()));
  });

  it("BON-8: the bonus ratio is -4400, a frozen bonus -4087, isolated margin with a bonus -4046", async () => {
    await open();
    const carol = await bench.trader("ca401", 100);
    const account = bench.accounts.get(carol)!;
    const grant = {
      kind: "grant_bonus",
      number: 100,
      account,
      amount_micros: 500e6,
      maxLeverage: 20,
      expires_ms: 9e12,
    } as const;
    await bench.submit(grant);
    ok(await place(bob, limit({ side: "SELL", quantity: "0.01" })));
    ok(await place(carol, limit({ quantity: "0.01" })));
    refused(await place(carol, limit({ side: "SELL", quantity: "0.02", price: "60000" })), -4400, /bonus ratio/);
    await bench.submit({ kind: "freeze_bonus", number: 101, account });
    refused(await place(carol, limit({ quantity: "0.01" })), -4087, /bonus/);
    refused(await bench.call("POST", "/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: 25 }, carol), -4028);
  });

  it("FUT-9: an account that is due for liquidation is told so (-2023)", async () => {
    await open();
    const carol = await bench.trader("ca401", 700);
    ok(await place(bob, limit({ side: "SELL", quantity: "0.1" })));
    ok(await place(carol, limit({ quantity: "0.1" })));
    await bench.submit({ kind: "set_market_status", market: 0, status: HALTED });
    await bench.price("BTCUSDT", 53_300);
    await bench.submit({ kind: "set_market_status", market: 0, status: TRADING });
    refused(await place(carol, limit({ quantity: "0.001", price: "53300" })), -2023, "User in liquidation mode now.");
  });

  it("T1: leverage, margin type, modes", async () => {
    await open();
    assert.deepEqual(ok(await post("/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: "25" })), {
      leverage: 25,
      maxNotionalValue: "500000",
      symbol: "BTCUSDT",
    });
    refused(
      await post("/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: 51 }),
      -4028,
      "Leverage is not valid: 1 to 50.",
    );
    refused(await post("/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: 0 }), -4028);
    refused(await post("/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: -5 }), -4028);
    for (const leverage of ["", "abc", "1.5", "99999999999999999"]) {
      refused(await post("/fapi/v1/leverage", { symbol: "BTCUSDT", leverage }), -1102);
    }
    ok(await place(alice, limit({ price: "58000", quantity: "8" })));
    refused(await post("/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: 1 }), -2028);
    refused(await post("/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: 50 }), -2027);
    assert.deepEqual(ok(await post("/fapi/v1/marginType", { symbol: "BTCUSDT", marginType: "CROSSED" })), {
      code: 200,
      msg: "success",
    });
    refused(
      await post("/fapi/v1/marginType", { symbol: "BTCUSDT", marginType: "ISOLATED" }),
      -4046,
      /not allowed on this interface/,
    );
    refused(await post("/fapi/v1/marginType", { symbol: "BTCUSDT", marginType: "X" }), -1130);
    refused(await post("/fapi/v1/marginType", { symbol: "NOPE", marginType: "CROSSED" }), -1121);
    assert.deepEqual(ok(await bench.call("GET", "/fapi/v1/marginType", {}, alice)), { marginType: "CROSSED" });
    assert.deepEqual(ok(await bench.call("GET", "/fapi/v1/marginType", { symbol: "BTCUSDT" }, alice)), {
      symbol: "BTCUSDT",
      marginType: "CROSSED",
    });
    refused(await post("/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount: "1", type: 1 }), -4046);
    refused(await post("/fapi/v1/positionSide/dual", { dualSidePosition: "true" }), -4059, /one-way/);
    assert.equal(ok(await post("/fapi/v1/positionSide/dual", { dualSidePosition: "false" }))["code"], 200);
    refused(await post("/fapi/v1/multiAssetsMargin", { multiAssetsMargin: "true" }), -1020);
    assert.equal(ok(await post("/fapi/v1/multiAssetsMargin", { multiAssetsMargin: "FALSE" }))["code"], 200);
    refused(await post("/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount: "1", type: 3 }), -1130);
    refused(await post("/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount: "0", type: 1 }), -4003);
  });

  it("FUT-17: too many commands waiting are -1008; what reduces or cancels passes", async () => {
    await open({ maxCommandsWaiting: 0 });
    const text =
      "Request throttled by system-level protection. Reduce-only/close-position orders are exempt. Please try again.(-1008)";
    refused(await place(alice, limit()), -1008, text, 503);
    refused(await bench.call("POST", "/fapi/v1/order/test", limit(), alice), -1008, text, 503);
    const batchOrders = JSON.stringify([limit(), limit()]);
    refused(await bench.call("POST", "/fapi/v1/batchOrders", { batchOrders }, alice), -1008, text, 503);
    refused(await place(alice, limit({ reduceOnly: true })), -2022);
    ok(await place(alice, stop({ quantity: undefined, closePosition: true })));
    ok(await bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 1 }, alice));
    ok(await bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, alice));
    const mixed = JSON.stringify([limit(), limit({ reduceOnly: true })]);
    const replies = ok<Body[]>(await bench.call("POST", "/fapi/v1/batchOrders", { batchOrders: mixed }, alice));
    assert.deepEqual(
      replies.map((reply) => reply["code"]),
      [-1008, -2022],
    );
  });

  it("a failed log is an unknown outcome first (-1006), then Service Unavailable. (-1016), which does not count", async () => {
    let isBroken = false;
    const log: CommandLog = {
      append: async () => {
        if (isBroken) throw new Error("disk gone");
      },
      close: async () => {},
    };
    await open({ log });
    ok(await place(alice, limit({ price: "58000" })));
    isBroken = true;
    refused(await place(alice, limit()), -1006, "Unknown error, please check your request or try again later.", 503);
    const counted = (await bench.limits.orders10s.peek(alice)).used;
    const weighed = (await bench.limits.weight.peek("127.0.0.1")).used;
    refused(await place(alice, limit()), -1016, "Service Unavailable.", 503);
    refused(
      await bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 1 }, alice),
      -1016,
      undefined,
      503,
    );
    assert.equal((await bench.limits.orders10s.peek(alice)).used, counted);
    assert.equal((await bench.limits.weight.peek("127.0.0.1")).used, weighed);
  });

  it("history that lags is 408 -1007, a window that is too long -1127", async () => {
    const late = async () => {
      throw new ProjectionTimeout(7, 1000);
    };
    const tooLong = async () => {
      throw new WindowTooLong(7);
    };
    const history = {
      ...emptyHistory,
      orders: { ...emptyHistory.orders, byId: late, list: tooLong },
    };
    await open({ history: () => history });
    refused(await bench.call("GET", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 5 }, alice), -1007, undefined, 408);
    refused(await bench.call("GET", "/fapi/v1/allOrders", { symbol: "BTCUSDT" }, alice), -1127);
  });

  it("reads with odd windows, limits and ids are -1130, absent symbols -1102, unknown ones -1121", async () => {
    await open();
    const bad: readonly (readonly [string, Parameters, number])[] = [
      ["/fapi/v1/allOrders", { symbol: "X" }, -1121],
      ["/fapi/v1/allOrders", { symbol: "BTCUSDT", limit: 0 }, -1130],
      ["/fapi/v1/allOrders", { symbol: "BTCUSDT", limit: "x" }, -1130],
      ["/fapi/v1/allOrders", { symbol: "BTCUSDT", orderId: -1 }, -1130],
      ["/fapi/v1/allOrders", { symbol: "BTCUSDT", startTime: "yesterday" }, -1130],
      ["/fapi/v1/allOrders", { symbol: "BTCUSDT", startTime: 5, endTime: 4 }, -1130],
      ["/fapi/v1/userTrades", { symbol: "BTCUSDT", fromId: "1e9" }, -1130],
      ["/fapi/v1/income", { incomeType: "LOTTERY" }, -1130],
      ["/fapi/v1/income", { page: 1e12 }, -1130],
      ["/fapi/v1/forceOrders", { autoCloseType: "X" }, -1130],
      ["/fapi/v1/order", { symbol: "BTCUSDT" }, -1102],
      ["/fapi/v1/order", { symbol: "BTCUSDT", orderId: "abc" }, -1130],
      ["/fapi/v1/order", { symbol: "BTCUSDT", origClientOrderId: "x".repeat(37) }, -1100],
      ["/fapi/v1/commissionRate", {}, -1102],
      ["/fapi/v1/openOrders", { symbol: "X" }, -1121],
      ["/fapi/v3/positionRisk", { symbol: "X" }, -1121],
    ];
    for (const [path, parameters, code] of bad) refused(await bench.call("GET", path, parameters, alice), code);
    assert.deepEqual(ok(await bench.call("GET", "/fapi/v1/allOrders", { symbol: "BTCUSDT", limit: 99999 }, alice)), []);
  });
});
