import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Decimal } from "../../lib/decimal.ts";
import { triggerRequest } from "./actions.ts";
import { orderLines, positionLines } from "./chart-lines.ts";
import type { Position } from "./margin.ts";
import type { OpenOrder, WaitingOrder } from "./orders-model.ts";
import { closes, closingTrigger, isMovable, isReached, triggersOf } from "./triggers.ts";

const LONG = {
  symbol: "BTCUSDT",
  side: "LONG",
  quantity: "0.500",
  entry_price: "60000.0333333",
  mark_price: "60000.0",
  unrealized_pnl: "0.00",
  liquidation_price: "58585.8585859",
} as Position;
const STOP: WaitingOrder = {
  id: 2,
  symbol: "BTCUSDT",
  side: "SELL",
  type: "STOP_MARKET",
  stop_price: "58000.0",
  price: undefined,
  quantity: "0.500",
  time_in_force: "GTC",
  activate_price: undefined,
  callback_rate: undefined,
  working_type: "MARK_PRICE",
  reduce_only: true,
  close_position: false,
  parent_id: undefined,
  created_time: 1,
};
const OPEN: OpenOrder = {
  id: 1,
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  time_in_force: "GTC",
  price: "59000.0",
  quantity: "0.500",
  executed_quantity: "0.200",
  reduce_only: false,
  created_time: 1,
};

describe("triggers of a position", () => {
  it("are those that reduce it, the nearest first", () => {
    const profit = { ...STOP, id: 3, type: "TAKE_PROFIT_MARKET", stop_price: "60500.0" };
    const buying = { ...STOP, id: 4, side: "BUY" } as const;
    const opening = { ...STOP, id: 5, reduce_only: false };
    const elsewhere = { ...STOP, id: 6, symbol: "ETHUSDT" };
    assert.deepEqual(
      triggersOf(LONG, [STOP, profit, buying, opening, elsewhere]).map(({ id }) => id),
      [3, 2],
    );
    assert.equal(closes(buying, { symbol: "BTCUSDT", side: "SHORT" }), true);
  });

  it("FUT-8: one that is reached would fire at once", () => {
    const at = (price: string) => Decimal.parse(price);
    assert.equal(isReached(LONG, "take_profit", at("60000"), "60000"), true);
    assert.equal(isReached(LONG, "take_profit", at("60000.1"), "60000"), false);
    assert.equal(isReached(LONG, "stop_loss", at("60000.1"), "60000"), true);
    assert.equal(isReached({ side: "SHORT" }, "stop_loss", at("60000.1"), "60000"), false);
  });

  it("close the whole position", () => {
    assert.deepEqual(closingTrigger(LONG, "stop_loss", "58000", "MARK_PRICE"), {
      symbol: "BTCUSDT",
      side: "SELL",
      type: "STOP_MARKET",
      stop_price: "58000",
      working_type: "MARK_PRICE",
      close_position: true,
    });
  });

  it("are moved by placing them anew, with everything they had", () => {
    const common = { symbol: "BTCUSDT", side: "SELL", stop_price: "58500", working_type: "MARK_PRICE" };
    assert.deepEqual(triggerRequest(STOP, "58500"), {
      ...common,
      type: "STOP_MARKET",
      quantity: "0.500",
      reduce_only: true,
    });
    const closing = { ...STOP, close_position: true, quantity: undefined };
    assert.deepEqual(triggerRequest(closing, "58500"), { ...common, type: "STOP_MARKET", close_position: true });
    const limit = { ...STOP, type: "STOP", price: "57900.0" };
    assert.deepEqual(triggerRequest(limit, "58500"), {
      ...common,
      type: "STOP",
      quantity: "0.500",
      reduce_only: true,
      price: "57900.0",
      time_in_force: "GTC",
    });
  });

  it("stay where they are while the order they belong to is not filled", () => {
    const asleep = { ...STOP, parent_id: 1 };
    assert.equal(isMovable(asleep, [{ ...OPEN, executed_quantity: "0.000" }]), false);
    assert.equal(isMovable(asleep, [OPEN]), true);
    assert.equal(isMovable(asleep, []), true);
    assert.equal(isMovable({ ...STOP, stop_price: undefined, callback_rate: "1" }, []), false);
  });
});

describe("lines on the chart", () => {
  it("entry with PnL and liquidation, on the tick", () => {
    assert.deepEqual(positionLines(LONG, "60100.0", "0.1"), [
      { id: "position", kind: "position", price: "60000.0", title: "Long 0.5 · +50.00", tone: "up" },
      { id: "liquidation", kind: "liquidation", price: "58585.9", title: "Liquidation", tone: "warn" },
    ]);
    assert.equal(positionLines({ ...LONG, liquidation_price: null }, "60100.0", "0.1").length, 1);
  });

  it("orders and triggers of this market, those that can be moved with a way to", () => {
    const lines = orderLines("BTCUSDT", {
      open: [OPEN, { ...OPEN, id: 9, symbol: "ETHUSDT" }],
      waiting: [
        STOP,
        { ...STOP, id: 3, stop_price: undefined, activate_price: "61000.0", type: "TRAILING_STOP_MARKET" },
      ],
    });
    assert.deepEqual(
      lines.map(({ id, price, title, onDrop }) => [id, price, title, onDrop !== undefined]),
      [
        ["order-1", "59000.0", "Buy 0.3", true],
        ["trigger-2", "58000.0", "SL 0.5", true],
        ["trigger-3", "61000.0", "Trail 0.5", false],
      ],
    );
  });
});
