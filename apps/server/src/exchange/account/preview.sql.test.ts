import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { stateHash } from "@bourse/engine";
import { type Bench, createBench, testAddress } from "./testing.ts";

const usdt = (amount: number) => amount * 1_000_000;

describe("order preview", () => {
  let bench: Bench;
  let maker: string;
  let number = 0;

  before(async () => {
    bench = await createBench();
    maker = await fundedWallet(1_000_000);
    const ask = (price: string, quantity: string) =>
      bench.call("POST", "/orders", maker, { symbol: "BTCUSDT", side: "SELL", type: "LIMIT", price, quantity });
    assert.equal((await ask("60000", "0.2")).status, 200);
    assert.equal((await ask("60010", "0.3")).status, 200);
    assert.equal((await ask("60100", "1")).status, 200);
  });
  after(() => bench.close());

  async function fundedWallet(amount: number, leverage = 50): Promise<string> {
    number += 1;
    const address = testAddress(number);
    const account = await bench.directory.ensure(address);
    await bench.deposits.credit(address, usdt(amount), `test:${number}`);
    await bench.submit({ kind: "set_leverage", account, market: 0, leverage });
    return bench.tokenOf(address);
  }

  const preview = (token: string, order: object) =>
    bench.call("POST", "/orders/preview", token, { symbol: "BTCUSDT", side: "BUY", type: "MARKET", ...order });

  it("FUT-18: says exactly what a market order would do, and changes nothing", async () => {
    const taker = await fundedWallet(1_000);
    const hash = stateHash(bench.exchange.engine.state);
    const { status, body } = await preview(taker, { quantity: "0.5" });
    assert.equal(status, 200);
    // 0.2 at 60,000 and 0.3 at 60,010: 30,003; taker fee 0.05 %; margin at the mark 30,000 / 50.
    assert.deepEqual(body, {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "MARKET",
      quantity: "0.500",
      executed_quantity: "0.500",
      resting_quantity: "0.000",
      average_price: "60006.0",
      notional: "30003.00",
      fee: "15.0015",
      taker_fee: "15.0015",
      maker_fee: "0.00",
      est_slippage: "0.0001",
      leverage: 50,
      initial_margin: "600.00",
      liquidation_price: "58622.2252526",
      position_quantity: "0.500",
      realized_pnl: "0.00",
      available_after: "381.9985",
      margin_balance_after: "981.9985",
      split: {
        fee_from_bonus: "0.00",
        fee_from_principal: "15.0015",
        margin_from_bonus: "0.00",
        margin_from_principal: "600.00",
      },
    });
    assert.equal(stateHash(bench.exchange.engine.state), hash);
  });

  it("FUT-18: what rests counts as filled at its price with the maker's fee", async () => {
    const { body } = await preview(await fundedWallet(1_000), { type: "LIMIT", price: "59000", quantity: "0.5" });
    // (29,500 − (1,000 − 5.9)) / (0.5 × 0.99) = 57,587.6767…
    assert.equal(body.executed_quantity, "0.000");
    assert.equal(body.resting_quantity, "0.500");
    assert.equal(body.maker_fee, "5.90");
    assert.equal(body.fee, "5.90");
    assert.equal(body.initial_margin, "590.00");
    assert.equal(body.liquidation_price, "57587.6767677");
    assert.equal(body.available_after, "410.00");
    assert.equal(body.est_slippage, "0");
  });

  it("FUT-18: a limit order that crosses is split into what matches and what rests", async () => {
    const { body } = await preview(await fundedWallet(1_000), { type: "LIMIT", price: "60010", quantity: "0.6" });
    assert.equal(body.executed_quantity, "0.500");
    assert.equal(body.resting_quantity, "0.100");
    assert.equal(body.taker_fee, "15.0015");
    assert.equal(body.maker_fee, "1.2002");
    assert.equal(body.position_quantity, "0.600");
  });

  it("FUT-4: a market order beyond max_slippage is refused as a whole, at the limit it passes", async () => {
    const taker = await fundedWallet(1_000);
    const beyond = await preview(taker, { quantity: "0.5", max_slippage: "0.00009999" });
    assert.equal(beyond.status, 400);
    assert.equal(beyond.body.code, "SLIPPAGE_EXCEEDED");
    assert.deepEqual(beyond.body.details, { rule: "slippage_exceeded", limit: "0.00009999", actual: "0.0001" });
    assert.equal((await preview(taker, { quantity: "0.5", max_slippage: 0.0001 })).status, 200);
  });

  it("BON-7: fee and margin are shared with the bonus, half each", async () => {
    const taker = await fundedWallet(1_000, 10);
    const account = bench.directory.numberOf(testAddress(number))!;
    const expires_ms = bench.clock.now() + 7 * 86_400_000;
    const grant = { amount_micros: usdt(1_000), maxLeverage: 10, expires_ms };
    await bench.database.db.transaction().execute((tx) =>
      bench.outbox.enqueue(tx, {
        topic: "exchange",
        ref: "test:grant",
        payload: { kind: "grant_bonus", account, ...grant },
      }),
    );
    await bench.dispatcher.idle();
    const { body } = await preview(taker, { quantity: "0.2" });
    assert.equal(body.fee, "6.00");
    assert.equal(body.initial_margin, "1200.00");
    assert.deepEqual(body.split, {
      fee_from_bonus: "3.00",
      fee_from_principal: "3.00",
      margin_from_bonus: "600.00",
      margin_from_principal: "600.00",
    });
  });

  it("FUT-6: what only reduces needs no margin and realises PnL", async () => {
    const taker = await fundedWallet(1_000);
    const opened = await bench.call("POST", "/orders", taker, {
      symbol: "BTCUSDT",
      side: "SELL",
      type: "LIMIT",
      price: "60050",
      quantity: "0.1",
    });
    assert.equal(opened.body.status, "NEW");
    const other = await fundedWallet(100_000);
    const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "60050", quantity: "0.6" };
    const filled = await bench.call("POST", "/orders", other, order);
    assert.equal(filled.body.status, "FILLED");
    // The position is 0.1 short from 60,050; the best ask is now 60,100, so closing costs 5.
    const { body } = await preview(taker, { quantity: "0.4", reduce_only: true });
    assert.equal(body.quantity, "0.100");
    assert.equal(body.initial_margin, "0.00");
    assert.equal(body.realized_pnl, "-5.00");
    assert.equal(body.liquidation_price, null);
    assert.equal(body.position_quantity, "0.000");
  });

  it("FUT-11: a small short beside a large balance has no liquidation price, before and after it is placed", async () => {
    const rich = await fundedWallet(5_000_000);
    const bid = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "59000", quantity: "0.001" };
    assert.equal((await bench.call("POST", "/orders", maker, bid)).body.status, "NEW");
    const order = { symbol: "BTCUSDT", side: "SELL", type: "MARKET", quantity: "0.001" };
    const expected = await bench.call("POST", "/orders/preview", rich, order);
    assert.deepEqual([expected.status, expected.body.liquidation_price], [200, null]);
    assert.equal((await bench.call("POST", "/orders", rich, order)).body.status, "FILLED");
    const { status, body } = await bench.call("GET", "/unified/account", rich);
    assert.deepEqual([status, body.positions[0].liquidation_price], [200, null]);
  });

  it("FUT-18: a wallet without an account is told that its margin is insufficient", async () => {
    const stranger = await bench.tokenOf(testAddress(9_999));
    const { status, body } = await preview(stranger, { quantity: "0.1" });
    assert.equal(status, 400);
    assert.equal(body.code, "MARGIN_INSUFFICIENT");
    assert.equal(body.exchange_code, -2019);
    assert.equal(bench.directory.numberOf(testAddress(9_999)), undefined);
  });

  it("FUT-18: conditional orders cannot be previewed", async () => {
    const { status, body } = await preview(maker, { type: "STOP_MARKET", stop_price: "61000", quantity: "0.1" });
    assert.equal(status, 400);
    assert.equal(body.exchange_code, -1020);
  });

  it("FUT-18: preview and placing agree, own orders in the way included", async () => {
    const { engine } = bench.exchange;
    const taker = await fundedWallet(5_000);
    const own = { symbol: "BTCUSDT", side: "SELL", type: "LIMIT", price: "60099.9", quantity: "0.2" };
    assert.equal((await bench.call("POST", "/orders", taker, own)).body.status, "NEW");
    const order = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.3" };
    const { body: expected } = await bench.call("POST", "/orders/preview", taker, order);
    const { body: placed } = await bench.call("POST", "/orders", taker, order);
    assert.equal(placed.executed_quantity, expected.executed_quantity);
    assert.equal(placed.average_price, expected.average_price);
    assert.equal(placed.fee, expected.fee);
    const { body: account } = await bench.call("GET", "/unified/account", taker);
    assert.equal(account.available, expected.available_after);
    assert.equal(account.margin_balance, expected.margin_balance_after);
    assert.equal(account.positions[0].liquidation_price, expected.liquidation_price);
    assert.equal(
      engine.state.positions.lots(engine.state.positions.find(bench.directory.numberOf(testAddress(number))!, 0)),
      300,
    );
  });
});
