import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { stateHash } from "@bourse/engine";
import { type Bench, createBench, START_MS, testAddress } from "./testing.ts";

const usdt = (amount: number) => amount * 1_000_000;
const limit = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "59000", quantity: "0.01" };
const market = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01" };

describe("orders of the account area", () => {
  let bench: Bench;
  let maker: string;
  let number = 0;

  before(async () => {
    bench = await createBench();
    maker = await fundedWallet(1_000_000, 10);
    const ask = { symbol: "btcusdt", side: "sell", type: "limit", price: "60000.0", quantity: "5" };
    assert.equal((await place(maker, ask)).status, 200);
  });
  after(() => bench.close());

  async function fundedWallet(amount: number, leverage = 50): Promise<string> {
    number += 1;
    const address = testAddress(number);
    const account = await bench.directory.ensure(address);
    if (amount > 0) await bench.deposits.credit(address, usdt(amount), `test:${number}`);
    await bench.submit({ kind: "set_leverage", account, market: 0, leverage });
    return bench.tokenOf(address);
  }

  const place = (token: string, order: object) => bench.call("POST", "/api/v1/orders", token, order);

  it("WIRE-7: a limit order rests and is shown in full", async () => {
    const token = await fundedWallet(1_000);
    const { status, body } = await place(token, { ...limit, client_order_id: "first" });
    assert.equal(status, 200);
    const order = {
      id: body.id,
      client_order_id: "first",
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      time_in_force: "GTC",
      status: "NEW",
      reason: null,
      price: "59000.0",
      quantity: "0.010",
      executed_quantity: "0.000",
      executed_value: "0.00",
      average_price: "0",
      reduce_only: false,
      close_position: false,
      stop_price: null,
      working_type: null,
      parent_id: null,
      created_time: START_MS,
      updated_time: START_MS,
    };
    const placed = { fee: "0.00", realized_pnl: "0.00", take_profit_id: null, stop_loss_id: null };
    assert.deepEqual(body, { ...order, ...placed });
    assert.deepEqual((await bench.call("GET", "/orders/open?symbol=btcusdt", token)).body.items, [order]);
    assert.deepEqual((await bench.call("GET", "/orders/open?symbol=ETHUSDT", token)).body.items, []);
    const canceled = await bench.call("DELETE", `/orders/${body.id}`, token);
    assert.deepEqual(canceled.body, { id: body.id, symbol: "BTCUSDT", status: "CANCELED" });
    const listed = await bench.call("GET", "/orders", token);
    const items = [{ ...order, status: "CANCELED", reason: "user" }];
    assert.deepEqual(listed.body, { items, orders: items, total: 1, next_cursor: null });
  });

  it("WIRE-7: a market order by amount fills at once, with its fee", async () => {
    const { body } = await place(await fundedWallet(1_000), { ...market, quantity: undefined, quote_quantity: 650 });
    assert.equal(body.status, "FILLED");
    assert.equal(body.quantity, "0.010");
    assert.equal(body.executed_value, "600.00");
    assert.equal(body.average_price, "60000.0");
    assert.equal(body.fee, "0.30");
    assert.equal(body.client_order_id, `bourse-${body.id}`);
  });

  it("FUT-8: take-profit and stop-loss come with the order and go with it", async () => {
    const token = await fundedWallet(1_000);
    const { body } = await place(token, {
      ...limit,
      take_profit: { trigger_price: "61000", price: "60990", working_type: "MARK_PRICE" },
      stop_loss: { trigger_price: "58000" },
    });
    assert.equal(body.take_profit_id, body.id + 1);
    assert.equal(body.stop_loss_id, body.id + 2);
    const { orders } = (await bench.call("GET", "/orders/open", token)).body;
    const attached = orders.slice(1).map((order: Record<string, unknown>) => {
      const { type, side, price, stop_price, working_type, reduce_only, parent_id } = order;
      return { type, side, price, stop_price, working_type, reduce_only, parent_id };
    });
    const common = { side: "SELL", reduce_only: true, parent_id: body.id };
    assert.deepEqual(attached, [
      { ...common, type: "TAKE_PROFIT", price: "60990.0", stop_price: "61000.0", working_type: "MARK_PRICE" },
      { ...common, type: "STOP_MARKET", price: "0", stop_price: "58000.0", working_type: "CONTRACT_PRICE" },
    ]);
    await bench.call("DELETE", `/orders/${body.id}`, token);
    assert.deepEqual((await bench.call("GET", "/orders/open", token)).body.items, []);
  });

  it("FUT-8: a stop waits under its own id and can be cancelled", async () => {
    const token = await fundedWallet(1_000);
    const stop = { symbol: "BTCUSDT", side: "BUY", type: "STOP_MARKET", stop_price: "61000", quantity: "0.01" };
    const { body } = await place(token, stop);
    assert.equal(body.type, "STOP_MARKET");
    assert.equal(body.status, "NEW");
    assert.equal((await bench.call("GET", "/orders", token)).body.orders[0].id, body.id);
    assert.equal((await bench.call("DELETE", `/orders/${body.id}`, token)).status, 200);
    assert.equal((await bench.call("GET", "/orders?status=canceled", token)).body.total, 1);
    assert.equal((await bench.call("GET", "/orders?status=NEW", token)).body.total, 0);
  });

  it("FUT-11, WIRE-6: long 0.5 BTC at 60,000 with 1,000 is liquidated at 58,585.8585…", async () => {
    // The deposit includes the fee of 15, so that 1,000 remain.
    const token = await fundedWallet(1_015);
    await place(token, { ...market, quantity: "0.5" });
    const { body } = await bench.call("GET", "/unified/account", token);
    const { positions, ...account } = body;
    assert.deepEqual(account, {
      address: testAddress(number),
      principal: "1000.00",
      bonus: "0.00",
      bonus_locked: "0.00",
      bonus_status: "none",
      isolated_margin: "0.00",
      in_flight: "0.00",
      margin_balance: "1000.00",
      available: "400.00",
      initial_margin: "600.00",
      maintenance_margin: "300.00",
      margin_ratio: "0.3",
      unrealized_pnl: "0.00",
      withdrawable: "400.00",
      held_gains: "0.00",
      bonus_owed: "0.00",
      tier: 0,
    });
    const position = {
      symbol: "BTCUSDT",
      side: "LONG",
      quantity: "0.500",
      entry_price: "60000.0",
      mark_price: "60000.0",
      liquidation_price: "58585.8585859",
      notional: "30000.00",
      unrealized_pnl: "0.00",
      initial_margin: "600.00",
      maintenance_margin: "300.00",
      leverage: 50,
      margin_mode: "cross",
      isolated_margin: "0.00",
    };
    assert.deepEqual(positions, [position]);
    assert.deepEqual((await bench.call("GET", "/api/v1/positions/active", token)).body.items, [position]);
  });

  it("WIRE-6: a wallet that never came has an empty account and empty lists", async () => {
    const token = await bench.tokenOf(testAddress(77_777));
    const get = async (path: string) => (await bench.call("GET", path, token)).body;
    assert.equal((await get("/unified/account")).margin_balance, "0.00");
    assert.deepEqual((await get("/positions/active")).items, []);
    assert.deepEqual((await get("/orders/open")).items, []);
    assert.deepEqual((await get("/account/trades")).items, []);
    assert.deepEqual((await get("/account/income")).items, []);
    assert.equal((await bench.call("DELETE", "/orders/1", token)).body.code, "ORDER_NOT_FOUND");
    assert.equal(bench.directory.numberOf(testAddress(77_777)), undefined);
  });

  describe("refusals", () => {
    const refuse = (name: string, order: object, code: string, exchange_code: number, details?: object) =>
      it(`WIRE-7: ${name} is ${code} (${exchange_code}) and changes nothing`, async () => {
        const token = await fundedWallet(100, 10);
        await bench.projector.waitForAll();
        const hash = stateHash(bench.exchange.engine.state);
        const before = bench.exchange.engine.state.commandNumber;
        const { status, body } = await place(token, order);
        assert.equal(status, 400, JSON.stringify(body));
        assert.equal(body.code, code);
        assert.equal(body.exchange_code, exchange_code);
        assert.equal(typeof body.error, "string");
        if (details !== undefined) assert.deepEqual(body.details, details);
        // A command that the engine refuses raises the command number and changes nothing else.
        const { state } = bench.exchange.engine;
        if (state.commandNumber === before) assert.equal(stateHash(state), hash);
        else
          assert.deepEqual(
            bench.exchange.engine.events.decode().map(({ kind }) => kind),
            ["refused"],
          );
      });

    refuse("a side that is none", { ...limit, side: "HOLD" }, "INVALID_SIDE", -1117);
    refuse("a type that is none", { ...limit, type: "ICEBERG" }, "INVALID_TYPE", -1116);
    refuse("GTD", { ...limit, time_in_force: "GTD" }, "INVALID_TIME_IN_FORCE", -1115);
    refuse("a symbol that is none", { ...limit, symbol: "NOPEUSDT" }, "INVALID_SYMBOL", -1121);
    refuse("a limit order without price", { ...limit, price: undefined }, "MISSING_PARAMETER", -1102);
    refuse("an order without quantity", { ...limit, quantity: undefined }, "MISSING_PARAMETER", -1102);
    refuse("both quantities", { ...market, quote_quantity: "10" }, "BAD_COMBINATION", -1128);
    refuse("a market order with a price", { ...market, price: "60000" }, "BAD_COMBINATION", -1106);
    refuse("max_slippage on a limit order", { ...limit, max_slippage: "0.1" }, "BAD_COMBINATION", -1128);
    const stop = { ...market, type: "STOP_MARKET", stop_price: "61000" };
    refuse("a stop with stop-loss", { ...stop, stop_loss: { trigger_price: "1000" } }, "BAD_COMBINATION", -1128);
    refuse("a stop by amount", { ...stop, quantity: undefined, quote_quantity: 9 }, "BAD_COMBINATION", -1128);
    refuse("close_position with quantity", { ...stop, close_position: true }, "BAD_COMBINATION", -4137);
    refuse("a price of too many decimals", { ...limit, price: "59000.001" }, "PRICE_PRECISION", -1111);
    refuse("a price off the tick", { ...limit, price: "59000.01" }, "PRICE_TICK", -4014);
    refuse("a price of zero", { ...limit, price: 0 }, "PRICE_TICK", -4014);
    refuse("a quantity below zero", { ...limit, quantity: "-1" }, "INVALID_QUANTITY", -4003);
    refuse("a quantity below one lot", { ...limit, quantity: "0.0009" }, "LOT_SIZE", -1013);
    refuse("an amount below one lot", { ...market, quantity: undefined, quote_quantity: "30" }, "LOT_SIZE", -1013);
    refuse("a client id of our form", { ...limit, client_order_id: "bourse-7" }, "INVALID_CLIENT_ORDER_ID", -4015);
    refuse("a client id with a space", { ...limit, client_order_id: "a b" }, "INVALID_CLIENT_ORDER_ID", -4015);
    refuse("a market without price", { ...limit, symbol: "ETHUSDT", price: "3000" }, "NO_PRICE", -1020);
    refuse("a price above the band", { ...limit, price: "63000.1" }, "PRICE_TOO_HIGH", -4016, {
      rule: "price_above_band",
      limit: "63000.0",
      actual: "63000.1",
    });
    refuse("a price below the band", { ...limit, side: "SELL", price: "56999.9" }, "PRICE_TOO_LOW", -4024);
    refuse("an order below 5 USDT", { ...limit, price: "100", quantity: "0.001" }, "MIN_NOTIONAL", -1013, {
      rule: "min_notional",
      limit: "5.00",
      actual: "0.10",
    });
    refuse("an order above 10 M USDT", { ...limit, quantity: "200" }, "MAX_NOTIONAL", -1013);
    refuse("reduce-only without a position", { ...limit, reduce_only: true }, "REDUCE_ONLY_REJECTED", -2022);
    refuse("a position above its leverage", { ...limit, quantity: "150" }, "POSITION_LIMIT", -2027);
    refuse("too little margin", { ...limit, quantity: "0.1" }, "MARGIN_INSUFFICIENT", -2019, {
      rule: "margin_insufficient",
      limit: "100.00",
      actual: "590.00",
    });
    refuse("a stop that would fire", { ...stop, stop_price: "59000" }, "WOULD_TRIGGER", -2021);
    refuse(
      "a take-profit below the price",
      { ...limit, take_profit: { trigger_price: "58000" } },
      "WOULD_TRIGGER",
      -2021,
    );
    refuse("post-only that crosses", { ...limit, price: "60000", time_in_force: "GTX" }, "POST_ONLY_WOULD_TAKE", -2010);
    refuse("FOK that cannot fill", { ...limit, time_in_force: "FOK" }, "FOK_NOT_FILLED", -5021);

    it("FUT-4: a book that cannot fill the order within max_slippage is SLIPPAGE_EXCEEDED (-2020)", async () => {
      const token = await fundedWallet(100_000, 10);
      const { status, body } = await place(token, { ...market, quantity: "6", max_slippage: 0.001 });
      assert.deepEqual([status, body.code, body.exchange_code], [400, "SLIPPAGE_EXCEEDED", -2020]);
      assert.deepEqual((await bench.call("GET", "/positions/active", token)).body.items, []);
    });

    it("WIRE-7: a client id of an open order is DUPLICATE_CLIENT_ORDER_ID (-4116)", async () => {
      const token = await fundedWallet(1_000);
      assert.equal((await place(token, { ...limit, client_order_id: "twice" })).status, 200);
      const { status, body } = await place(token, { ...limit, client_order_id: "twice" });
      assert.deepEqual([status, body.code, body.exchange_code], [400, "DUPLICATE_CLIENT_ORDER_ID", -4116]);
    });

    it("WIRE-7: an order of somebody else is ORDER_NOT_FOUND (-2011, 404)", async () => {
      const owner = await fundedWallet(1_000);
      const { body: order } = await place(owner, limit);
      const stranger = await fundedWallet(0);
      const { status, body } = await bench.call("DELETE", `/orders/${order.id}`, stranger);
      assert.deepEqual([status, body.code, body.exchange_code], [404, "ORDER_NOT_FOUND", -2011]);
    });

    it("WIRE-2: what is no decimal, or an inexact number, is 400", async () => {
      for (const quantity of ["1e3", "abc", "", " 1", "0x10", null, true, {}]) {
        assert.equal((await place(maker, { ...limit, quantity })).status, 400, String(quantity));
      }
      for (const max_slippage of ["-0.1", "1.1"]) {
        assert.equal((await place(maker, { ...market, max_slippage })).status, 400, max_slippage);
      }
    });
  });

  it("FUT-17: an exchange under load refuses with -1008, and still takes what reduces and cancels", async () => {
    const busy = await createBench({ maxCommandsWaiting: 0 });
    try {
      const account = await busy.directory.ensure(testAddress(1));
      await busy.deposits.credit(testAddress(1), usdt(1_000), "load");
      const token = await busy.tokenOf(testAddress(1));
      const refused = await busy.call("POST", "/orders", token, limit);
      assert.deepEqual([refused.status, refused.body.code, refused.body.exchange_code], [503, "SYSTEM_BUSY", -1008]);
      const reducing = await busy.call("POST", "/orders", token, { ...limit, reduce_only: true });
      assert.equal(reducing.body.code, "REDUCE_ONLY_REJECTED");
      assert.equal((await busy.call("DELETE", "/orders/1", token)).body.code, "ORDER_NOT_FOUND");
      assert.equal(account, 1);
    } finally {
      await busy.close();
    }
  });

  it("FUT-9: margin mode by either name in any case; refused with a position", async () => {
    const token = await fundedWallet(2_000);
    const set = (body: object) => bench.call("POST", "/api/v1/account/margin-mode", token, body);
    const isolated = { symbol: "BTCUSDT", margin_mode: "isolated", leverage: 50 };
    assert.deepEqual((await set({ symbol: "btcusdt", margin_mode: "ISOLATED" })).body, isolated);
    const items = [isolated];
    assert.deepEqual((await bench.call("GET", "/account/margin-mode?symbol=BTCUSDT", token)).body, {
      ...isolated,
      items,
      margin_modes: items,
      total: 1,
      next_cursor: null,
    });
    assert.equal((await set({ symbol: "BTCUSDT", mode: "Crossed" })).body.margin_mode, "cross");
    assert.equal((await set({ symbol: "BTCUSDT", mode: "portfolio" })).status, 400);
    assert.equal((await set({ symbol: "BTCUSDT" })).status, 400);
    assert.equal((await set({ symbol: "BTCUSDT", mode: "cross", margin_mode: "isolated" })).status, 400);
    await place(token, market);
    const { status, body } = await set({ symbol: "BTCUSDT", mode: "isolated" });
    assert.deepEqual([status, body.code, body.exchange_code], [400, "MARGIN_MODE_OPEN_POSITION", -4048]);
    const all = (await bench.call("GET", "/account/margin-mode", token)).body.margin_modes;
    assert.equal(all.length, 4);
  });
});
