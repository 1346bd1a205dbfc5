import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { OrderEvent, OrderEventTrade } from "@bourse/api/client";
import { addFill, type FillSum, fillWords } from "./fills.ts";

const fill = (change: Partial<OrderEventTrade> = {}, side: "BUY" | "SELL" = "BUY") =>
  ({
    symbol: "BTCUSDT",
    side,
    trade: {
      id: 1,
      price: "60012.3",
      quantity: "0.250",
      fee: "7.501538",
      realized_pnl: "0.00",
      is_maker: false,
      cause: "trade",
      ...change,
    },
  }) as OrderEvent;
const sumOf = (events: readonly OrderEvent[]) => [...events.reduce(addFill, new Map<string, FillSum>()).values()];

describe("messages of fills", () => {
  it("say what was bought, at what price and for which fee", () => {
    assert.deepEqual(sumOf([fill()]).map(fillWords), [
      { title: "Bought 0.25 BTC at 60,012.3", detail: "Fee 7.51 USDT" },
    ]);
  });

  it("a hundred fills are one message with the sum", () => {
    const many = Array.from({ length: 100 }, (_, id) =>
      fill({ id, price: id % 2 ? "60000.0" : "60001.0", quantity: "0.010" }),
    );
    assert.deepEqual(sumOf(many).map(fillWords), [
      { title: "Bought 1 BTC at 60,000.5", detail: "Fee 750.16 USDT · 100 fills" },
    ]);
  });

  it("sides and causes are not mixed", () => {
    const sums = sumOf([fill(), fill({ realized_pnl: "-12.5" }, "SELL"), fill({ cause: "liquidation" }, "SELL")]);
    assert.deepEqual(
      sums.map((sum) => fillWords(sum).title),
      ["Bought 0.25 BTC at 60,012.3", "Sold 0.25 BTC at 60,012.3", "Liquidated: sold 0.25 BTC at 60,012.3"],
    );
    assert.equal(sums[1] && fillWords(sums[1]).detail, "Fee 7.51 USDT · realised −12.50 USDT");
  });

  it("an event without a trade says nothing", () => {
    assert.deepEqual(sumOf([{ ...fill(), trade: null }]), []);
  });
});
