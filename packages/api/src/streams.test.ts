import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AccountEvent, StreamMessage, StreamRequest, StreamUpdate } from "./streams.ts";

/** Compiles only if type and channel determine the type of the data. */
function figureOf(message: StreamMessage): string | number | undefined {
  if (message.type === "error") return message.code;
  if (message.type !== "snapshot" && message.type !== "update") return undefined;
  switch (message.channel) {
    case "orderbook":
      return message.data.bids[0]?.[0];
    case "kline":
      return `${message.symbol} ${message.interval} ${message.data[0]?.close}`;
    case "ticker":
      return message.data?.last_price;
    case "orders":
      return message.type === "snapshot" ? message.data.length : orderFigure(message);
    case "vip_tier":
      return message.type === "snapshot" ? message.data.tier : message.data.kind;
    default:
      return message.seq;
  }
}

const orderFigure = ({ data }: StreamUpdate<"orders">) =>
  data.conditional_id === undefined ? data.executed_quantity : data.stop_price;

const sideOf = (event: AccountEvent) => (event.channel === "positions" ? event.data.side : undefined);

const figures = { symbol: "BTCUSDT", quantity: "0", mark_price: "60000.0", notional: "0.00", unrealized_pnl: "0.00" };

describe("types of the streams", () => {
  it("WIRE-9: channel and type say what the data is", () => {
    const level = ["59999.9", "0.001"] as const;
    const orderbook = { bids: [level], asks: [], update_id: 1, time: 1 };
    const messages: StreamMessage[] = [
      { type: "snapshot", channel: "orderbook", symbol: "BTCUSDT", seq: 1, data: orderbook },
      { type: "snapshot", channel: "kline", symbol: "BTCUSDT", interval: "1m", seq: 1, data: [] },
      { type: "snapshot", channel: "ticker", symbol: "BTCUSDT", seq: 1, data: null },
      { type: "snapshot", channel: "orders", seq: 7, data: [] },
      { type: "snapshot", channel: "vip_tier", seq: 7, data: { tier: 2, volume_14d: "0.00" } },
      { type: "error", code: "UNKNOWN_SYMBOL", error: "there is no such symbol" },
      { type: "pong" },
    ];
    assert.deepEqual(messages.map(figureOf), [
      "59999.9",
      "BTCUSDT 1m undefined",
      undefined,
      0,
      2,
      "UNKNOWN_SYMBOL",
      undefined,
    ]);
  });

  it("FUT-18: so does the channel of an event that was missed", () => {
    const more = {
      side: "FLAT",
      entry_price: "0",
      leverage: 10,
      margin_mode: "cross",
      isolated_margin: "0.00",
    } as const;
    const event: AccountEvent = { seq: 7, channel: "positions", time: 1, data: { ...figures, ...more, time: 1 } };
    assert.equal(sideOf(event), "FLAT");
  });

  it("a request names what its channel needs", () => {
    const requests: StreamRequest[] = [
      { type: "subscribe", channel: "kline", symbol: "BTCUSDT", interval: "5m" },
      { type: "unsubscribe", channel: "trades", symbol: "BTCUSDT" },
      { type: "subscribe", channel: "orders" },
      // @ts-expect-error public channels are those of a market
      { type: "subscribe", channel: "trades" },
    ];
    assert.equal(requests.length, 4);
  });
});
