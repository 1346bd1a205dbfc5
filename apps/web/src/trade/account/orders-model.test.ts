import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AccountOrder, ConditionalEvent, FapiAlgoOrder, OrderEvent } from "@bourse/api/client";
import { applyOrderEvent, NO_ORDERS, openValue, ordersFromRest, ordersFromSnapshot } from "./orders-model.ts";

const ORDER: OrderEvent = {
  order_id: 1,
  client_order_id: "a",
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  original_type: "LIMIT",
  time_in_force: "GTC",
  price: "59000.0",
  quantity: "0.500",
  executed_quantity: "0.000",
  average_price: "0",
  reduce_only: false,
  event: "NEW",
  status: "NEW",
  reason: "none",
  created_at: 1_000,
  time: 1_000,
  trade: null,
};
const TRIGGER: ConditionalEvent = {
  conditional_id: 2,
  client_order_id: "b",
  symbol: "BTCUSDT",
  side: "SELL",
  type: "STOP_MARKET",
  time_in_force: "GTC",
  stop_price: "58000.0",
  price: "0.0",
  quantity: "0.500",
  working_type: "MARK_PRICE",
  reduce_only: true,
  close_position: false,
  parent_order_id: 1,
  order_id: null,
  status: "NEW",
  reason: "none",
  created_at: 1_000,
  time: 1_000,
};

describe("own orders", () => {
  it("come and change in place; the newest is first", () => {
    const two = ordersFromSnapshot([ORDER, { ...ORDER, order_id: 3, created_at: 2_000 }]);
    assert.deepEqual(
      two.open.map(({ id }) => id),
      [3, 1],
    );
    const partly = applyOrderEvent(two, { ...ORDER, status: "PARTIALLY_FILLED", executed_quantity: "0.200" });
    assert.deepEqual(
      partly.open.map(({ id, executed_quantity }) => [id, executed_quantity]),
      [
        [3, "0.000"],
        [1, "0.200"],
      ],
    );
  });

  it("go when they are filled, cancelled or expired; a repeated end changes nothing", () => {
    for (const status of ["FILLED", "CANCELED", "EXPIRED", "EXPIRED_IN_MATCH", "REJECTED"] as const) {
      const gone = applyOrderEvent(ordersFromSnapshot([ORDER]), { ...ORDER, status });
      assert.deepEqual(gone.open, []);
      assert.deepEqual(applyOrderEvent(gone, { ...ORDER, status }), gone);
    }
  });

  it("a trigger waits until it fires, and its order may keep its id", () => {
    const waiting = ordersFromSnapshot([TRIGGER]);
    assert.deepEqual(
      waiting.waiting.map(({ id, stop_price, price, parent_id }) => [id, stop_price, price, parent_id]),
      [[2, "58000.0", undefined, 1]],
    );
    const fired = applyOrderEvent(waiting, { ...TRIGGER, status: "TRIGGERED", order_id: 2 });
    assert.deepEqual(fired.waiting, []);
    const resting = applyOrderEvent(fired, { ...ORDER, order_id: 2, original_type: "STOP" });
    assert.deepEqual(
      resting.open.map(({ id, type }) => [id, type]),
      [[2, "STOP"]],
    );
  });

  it("a position that was passed on without an order is none", () => {
    assert.equal(applyOrderEvent(NO_ORDERS, { ...ORDER, order_id: 0, event: "CALCULATED" }), NO_ORDERS);
  });

  it("reads the lists as it reads the stream", () => {
    const resting = {
      id: 1,
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      price: "59000.0",
      created_time: 1,
      quantity: "1",
    };
    const trailing = {
      ...resting,
      id: 4,
      type: "TRAILING_STOP_MARKET",
      price: "0",
      stop_price: null,
      working_type: null,
    };
    const algo = { algoId: 4, activatePrice: "0.0", callbackRate: "1.5", workingType: "MARK_PRICE" };
    const { open, waiting } = ordersFromRest([resting, trailing] as AccountOrder[], [algo] as FapiAlgoOrder[]);
    assert.deepEqual(
      open.map(({ id }) => id),
      [1],
    );
    assert.deepEqual(
      waiting.map(({ id, callback_rate, activate_price, working_type }) => [
        id,
        callback_rate,
        activate_price,
        working_type,
      ]),
      [[4, "1.5", undefined, "MARK_PRICE"]],
    );
  });

  it("are the same whether a list or the feed tells of them", () => {
    const { order_id: id, created_at: created_time } = ORDER;
    const open = { ...ORDER, id, created_time };
    const { conditional_id, parent_order_id: parent_id } = TRIGGER;
    const waiting = { ...TRIGGER, id: conditional_id, parent_id, created_time, price: "0" };
    const listed = ordersFromRest([open, waiting] as unknown as AccountOrder[], []);
    assert.deepEqual(listed, ordersFromSnapshot([ORDER, TRIGGER]));
    assert.deepEqual([listed.open.length, listed.waiting.length], [1, 1]);
  });

  it("FUT-9: what rests and is not reduce-only is worth its remaining lots at its price", () => {
    const { open } = ordersFromSnapshot([
      { ...ORDER, status: "PARTIALLY_FILLED", executed_quantity: "0.400" },
      { ...ORDER, order_id: 5, reduce_only: true },
      { ...ORDER, order_id: 6, side: "SELL" },
    ]);
    assert.equal(openValue(open, "BTCUSDT", "BUY").toString(), "5900");
    assert.equal(openValue(open, "ETHUSDT", "BUY").toString(), "0");
  });
});
