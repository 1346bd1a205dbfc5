import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { ISOLATED } from "@bourse/engine";
import { type Bench, type Body, createBench, EPOCH_MS, ok, type Parameters, refused } from "./testing.ts";

describe("accounts on the exchange-style interface", () => {
  let bench: Bench;
  let bob: string;

  beforeEach(async () => {
    bench = await createBench();
    await bench.price("BTCUSDT", 60_000);
    await bench.price("ETHUSDT", 3_000);
    bob = await bench.trader("b0b", 1_000_000);
  });
  afterEach(() => bench.close());

  const get = async <T = Body>(path: string, who: string, parameters: Parameters = {}) =>
    ok<T>(await bench.call("GET", path, parameters, who));
  const order = async (who: string, side: string, quantity: string, price: string, symbol = "BTCUSDT") =>
    ok(
      await bench.call(
        "POST",
        "/fapi/v1/order",
        { symbol, side, type: "LIMIT", timeInForce: "GTC", quantity, price },
        who,
      ),
    );
  const leverage = async (who: string, value: number) =>
    ok(await bench.call("POST", "/fapi/v1/leverage", { symbol: "BTCUSDT", leverage: value }, who));
  const risk = async (who: string, version = 2) =>
    (await get<Body[]>(`/fapi/v${version}/positionRisk`, who, { symbol: "BTCUSDT" }))[0]!;

  /** Opens a position against bob's order. The deposit includes the fee of 0.05 %, so that 1,000 or 20,000 remain. */
  async function holder(name: string, money: number, side: "BUY" | "SELL", quantity: string, fee: number, high = 50) {
    const who = await bench.trader(name, money + fee);
    await leverage(who, high);
    await order(bob, side === "BUY" ? "SELL" : "BUY", quantity, "60000");
    await order(who, side, quantity, "60000");
    return who;
  }

  it("FUT-11: liquidation prices of the vectors", async () => {
    const long = await holder("100", 1_000, "BUY", "0.5", 15);
    const short = await holder("200", 1_000, "SELL", "0.5", 15);
    const large = await holder("300", 20_000, "BUY", "3", 90, 20);
    assert.equal((await risk(long))["liquidationPrice"], "58585.8585859");
    assert.equal((await risk(short))["liquidationPrice"], "61386.1386138");
    assert.equal((await risk(large))["liquidationPrice"], "54081.6326531");
  });

  it("FUT-11: another position counts with its profit and its maintenance margin", async () => {
    const who = await holder("100", 1_000, "BUY", "0.5", 16.5);
    await order(bob, "SELL", "1", "3000", "ETHUSDT");
    await order(who, "BUY", "1", "3000", "ETHUSDT");
    await bench.price("ETHUSDT", 3_100);
    // (60,000 × 0.5 − 1,000 + 31 − 100) / (0.5 × 0.99)
    assert.equal((await risk(who))["liquidationPrice"], "58446.4646465");
    const account = await get<Body & { positions: Body[] }>("/fapi/v3/account", who);
    assert.deepEqual(
      [account["totalMaintMargin"], account["totalUnrealizedProfit"], account["totalInitialMargin"]],
      ["331.00", "100.00", "910.00"],
    );
  });

  it("FUT-11: a small position beside a large balance has no liquidation price", async () => {
    const rich = await bench.trader("100", 5_000_000);
    await order(rich, "SELL", "0.001", "60000");
    await order(bob, "BUY", "0.001", "60000");
    assert.equal((await risk(rich))["liquidationPrice"], "0");
    assert.equal((await risk(rich, 3))["liquidationPrice"], "0");
    assert.equal((await risk(bob))["liquidationPrice"], "0");
  });

  it("FUT-9: positionRisk of a long position, version 2 and 3", async () => {
    const who = await holder("100", 1_000, "BUY", "0.5", 15);
    await order(who, "BUY", "0.001", "59000");
    await bench.price("BTCUSDT", 60_100);
    assert.deepEqual(await risk(who), {
      symbol: "BTCUSDT",
      positionSide: "BOTH",
      positionAmt: "0.500",
      entryPrice: "60000.0",
      breakEvenPrice: "60030.0150076",
      markPrice: "60100.0",
      unRealizedProfit: "50.00",
      liquidationPrice: "58585.8585859",
      isolatedMargin: "0",
      isolatedWallet: "0",
      notional: "30050.00",
      updateTime: EPOCH_MS,
      marginType: "cross",
      leverage: "50",
      isAutoAddMargin: "false",
      maxNotionalValue: "100000",
    });
    assert.deepEqual(await risk(who, 3), {
      symbol: "BTCUSDT",
      positionSide: "BOTH",
      positionAmt: "0.500",
      entryPrice: "60000.0",
      breakEvenPrice: "60030.0150076",
      markPrice: "60100.0",
      unRealizedProfit: "50.00",
      liquidationPrice: "58585.8585859",
      isolatedMargin: "0",
      isolatedWallet: "0",
      notional: "30050.00",
      updateTime: EPOCH_MS,
      marginAsset: "USDT",
      initialMargin: "602.18",
      maintMargin: "300.50",
      positionInitialMargin: "601.00",
      openOrderInitialMargin: "1.18",
      adl: 4,
      bidNotional: "59.00",
      askNotional: "0.00",
    });
    assert.equal((await get<Body[]>("/fapi/v1/positionRisk", who)).length, 4);
    assert.equal((await get<Body[]>("/fapi/v3/positionRisk", who)).length, 1);
    await order(who, "BUY", "0.01", "2900", "ETHUSDT");
    const live = await get<Body[]>("/fapi/v3/positionRisk", who);
    assert.deepEqual(
      live.map(({ symbol, positionAmt, openOrderInitialMargin }) => [symbol, positionAmt, openOrderInitialMargin]),
      [
        ["BTCUSDT", "0.500", "1.18"],
        ["ETHUSDT", "0.000", "2.90"],
      ],
    );
  });

  it("WIRE-6: account and balance add up", async () => {
    const who = await holder("100", 1_000, "SELL", "0.5", 15);
    await bench.price("BTCUSDT", 60_100);
    const sums = {
      initialMargin: "601.00",
      maintMargin: "300.50",
      walletBalance: "1000.00",
      unrealizedProfit: "-50.00",
      marginBalance: "950.00",
      positionInitialMargin: "601.00",
      openOrderInitialMargin: "0.00",
      crossWalletBalance: "1000.00",
      crossUnPnl: "-50.00",
      availableBalance: "349.00",
      maxWithdrawAmount: "349.00",
    };
    const account = await get<Body & { positions: Body[]; assets: Body[] }>("/fapi/v3/account", who);
    assert.deepEqual(account.assets, [{ asset: "USDT", ...sums, updateTime: EPOCH_MS }]);
    assert.deepEqual(account.positions, [
      {
        symbol: "BTCUSDT",
        positionSide: "BOTH",
        positionAmt: "-0.500",
        unrealizedProfit: "-50.00",
        isolatedMargin: "0",
        isolatedWallet: "0",
        notional: "-30050.00",
        initialMargin: "601.00",
        maintMargin: "300.50",
        updateTime: EPOCH_MS,
      },
    ]);
    assert.equal(account["totalMarginBalance"], "950.00");
    assert.equal(account["totalInitialMargin"], "601.00");
    assert.equal(account["availableBalance"], "349.00");
    const older = await get<Body & { positions: Body[] }>("/fapi/v2/account", who);
    assert.deepEqual([older["feeTier"], older["canTrade"], older["multiAssetsMargin"]], [0, true, false]);
    assert.equal(older.positions.length, 4);
    assert.deepEqual(
      [older.positions[0]!["leverage"], older.positions[0]!["isolated"], older.positions[0]!["entryPrice"]],
      ["50", false, "60000.0"],
    );
    for (const version of [2, 3]) {
      assert.deepEqual(await get<Body[]>(`/fapi/v${version}/balance`, who), [
        {
          accountAlias: "bourse-2",
          asset: "USDT",
          balance: "1000.00",
          crossWalletBalance: "1000.00",
          crossUnPnl: "-50.00",
          availableBalance: "349.00",
          maxWithdrawAmount: "349.00",
          marginAvailable: true,
          updateTime: EPOCH_MS,
        },
      ]);
    }
  });

  it("WIRE-6: a bonus counts in the wallet balance and cannot be withdrawn", async () => {
    const who = await bench.trader("100", 100);
    const account = bench.accounts.get(who)!;
    await bench.submit({
      kind: "grant_bonus",
      number: 50,
      account,
      amount_micros: 500e6,
      maxLeverage: 5,
      expires_ms: 9e12,
    });
    const [balance] = await get<Body[]>("/fapi/v3/balance", who);
    assert.deepEqual([balance!["balance"], balance!["maxWithdrawAmount"]], ["600.00", "100.00"]);
    const [config] = await get<Body[]>("/fapi/v1/symbolConfig", who, { symbol: "ETHUSDT" });
    assert.equal(config!["leverage"], 5);
  });

  it("T1, FUT-9: after a 200 to CROSSED the symbol is on cross margin; an isolated one needs no change to ISOLATED", async () => {
    const who = await bench.trader("100", 2_000);
    const isolate = () =>
      bench.submit({ kind: "set_margin_mode", account: bench.accounts.get(who)!, market: 0, mode: ISOLATED });
    const change = (marginType: string) =>
      bench.call("POST", "/fapi/v1/marginType", { symbol: "BTCUSDT", marginType }, who);
    const shown = async () =>
      (await get<Body[]>("/fapi/v1/symbolConfig", who, { symbol: "BTCUSDT" }))[0]!["marginType"];
    refused(await change("ISOLATED"), -4046, /not allowed on this interface/);
    await isolate();
    refused(await change("ISOLATED"), -4046, "No need to change margin type.");
    assert.equal(await shown(), "ISOLATED");
    assert.deepEqual(ok(await change("CROSSED")), { code: 200, msg: "success" });
    assert.equal(await shown(), "CROSSED");
    await isolate();
    await order(who, "BUY", "0.01", "50000");
    refused(await change("CROSSED"), -4047);
    ok(await bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, who));
    await order(bob, "SELL", "0.01", "60000");
    await order(who, "BUY", "0.01", "60000");
    refused(await change("CROSSED"), -4048);
    assert.equal(await shown(), "ISOLATED");
    await order(bob, "BUY", "0.01", "60000");
    await order(who, "SELL", "0.01", "60000");
    ok(await change("CROSSED"));
    await order(bob, "SELL", "0.01", "60000");
    await order(who, "BUY", "0.01", "60000");
    // On cross margin already, so an open position does not matter.
    ok(await change("CROSSED"));
    assert.equal(await shown(), "CROSSED");
  });

  it("FUT-9: an isolated position stands on its own margin, which can be moved", async () => {
    const who = await bench.trader("100", 2_000);
    await leverage(who, 50);
    await bench.submit({ kind: "set_margin_mode", account: bench.accounts.get(who)!, market: 0, mode: ISOLATED });
    await order(bob, "SELL", "0.5", "60000");
    await order(who, "BUY", "0.5", "60000");
    const first = await risk(who);
    assert.deepEqual(
      [first["marginType"], first["isolatedWallet"], first["isolatedMargin"]],
      ["isolated", "600", "600"],
    );
    const move = (amount: string, type: number) =>
      bench.call("POST", "/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount, type }, who);
    assert.deepEqual(ok(await move("400", 1)), {
      amount: 400,
      code: 200,
      msg: "Successfully modify position margin.",
      type: 1,
    });
    const after = await risk(who);
    assert.deepEqual([after["isolatedWallet"], after["liquidationPrice"]], ["1000", "58585.8585859"]);
    const [balance] = await get<Body[]>("/fapi/v3/balance", who);
    assert.deepEqual([balance!["balance"], balance!["crossWalletBalance"]], ["1985.00", "985.00"]);
    refused(await move("5000", 1), -2019);
    refused(await move("500", 2), -2019);
    ok(await move("400", 2));
    assert.equal((await risk(who))["isolatedWallet"], "600");
  });

  it("FUT-15: commissionRate shows what is really paid", async () => {
    assert.deepEqual(await get("/fapi/v1/commissionRate", bob, { symbol: "BTCUSDT" }), {
      symbol: "BTCUSDT",
      makerCommissionRate: "0.0002",
      takerCommissionRate: "0.0005",
    });
    await bench.submit({ kind: "set_discount", number: 60, account: bench.accounts.get(bob)!, discount_bps: 1_000 });
    assert.deepEqual(await get("/fapi/v1/commissionRate", bob, { symbol: "BTCUSDT" }), {
      symbol: "BTCUSDT",
      makerCommissionRate: "0.00018",
      takerCommissionRate: "0.00045",
    });
  });

  it("settings of account and symbols, limits, status, deleveraging", async () => {
    const who = await holder("100", 1_000, "BUY", "0.5", 15);
    assert.deepEqual(await get("/fapi/v1/accountConfig", who), {
      feeTier: 0,
      canTrade: true,
      canDeposit: true,
      canWithdraw: true,
      dualSidePosition: false,
      multiAssetsMargin: false,
      updateTime: 0,
      tradeGroupId: -1,
    });
    const configs = await get<Body[]>("/fapi/v1/symbolConfig", who);
    assert.equal(configs.length, 4);
    assert.deepEqual(configs[0], {
      symbol: "BTCUSDT",
      marginType: "CROSSED",
      leverage: 50,
      isAutoAddMargin: false,
      maxNotionalValue: "100000",
    });
    assert.equal((await get<Body[]>("/fapi/v1/rateLimit/order", who)).length, 2);
    assert.deepEqual(await get<Body>("/fapi/v1/apiTradingStatus", who), { indicators: {}, updateTime: EPOCH_MS });
    assert.deepEqual(await get<Body[]>("/fapi/v1/adlQuantile", who), [{ symbol: "BTCUSDT", adlQuantile: { BOTH: 4 } }]);
    assert.deepEqual(await get<Body[]>("/fapi/v1/adlQuantile", bob, { symbol: "ETHUSDT" }), []);
  });

  it("FUT-12: the rank in the line of deleveraging goes by profit and leverage", async () => {
    for (let i = 0; i < 5; i += 1) {
      const who = await bench.trader(`${500 + i}`, 10_000);
      await leverage(who, 10 * (i + 1));
      await order(bob, "SELL", "0.1", "60000");
      await order(who, "BUY", "0.1", "60000");
    }
    await bench.price("BTCUSDT", 61_000);
    bench.clock.advance(2_000);
    const quantiles: unknown[] = [];
    for (let i = 0; i < 5; i += 1) quantiles.push((await risk(`0x${500 + i}`, 3))["adl"]);
    assert.deepEqual(quantiles, [0, 1, 2, 3, 4]);
  });
});
