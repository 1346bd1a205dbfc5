import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forMarket, withIntent } from "./draft-store.ts";
import { draftOf } from "./testing.ts";

describe("wishes of the book, the keys and positions", () => {
  it("a price goes where the type has one", () => {
    const wish = { price: "60000.1" };
    assert.equal(withIntent(draftOf({ kind: "LIMIT" }), wish).price, "60000.1");
    const limit = withIntent(draftOf({ kind: "MARKET" }), wish);
    assert.deepEqual([limit.kind, limit.price], ["LIMIT", "60000.1"]);
    assert.equal(withIntent(draftOf({ kind: "STOP_MARKET" }), wish).stopPrice, "60000.1");
    assert.equal(withIntent(draftOf({ kind: "STOP" }), wish).price, "60000.1");
    assert.equal(withIntent(draftOf({ kind: "TRAILING_STOP_MARKET" }), wish).activatePrice, "60000.1");
  });

  it("a position is taken over to be closed", () => {
    const draft = withIntent(draftOf({ sizeUnit: "quote" }), { side: "SELL", quantity: "0.25", isReduceOnly: true });
    assert.deepEqual(
      [draft.side, draft.sizeUnit, draft.size, draft.isReduceOnly],
      ["SELL", "base", { by: "base", text: "0.25" }, true],
    );
  });

  it("a side alone changes nothing else", () => {
    const draft = draftOf({ price: "1", isReduceOnly: true });
    assert.deepEqual(withIntent(draft, { side: "SELL", takesFocus: true }), { ...draft, side: "SELL" });
  });
});

describe("another market", () => {
  it("keeps how one trades, and forgets prices and sizes", () => {
    const draft = draftOf({
      kind: "STOP",
      side: "SELL",
      sizeUnit: "quote",
      price: "60000",
      stopPrice: "59000",
      size: { by: "quote", text: "500" },
      isReduceOnly: true,
    });
    const { draft: next } = forMarket({ symbol: "BTCUSDT", draft }, "ETHUSDT");
    assert.deepEqual([next.kind, next.side, next.sizeUnit], ["STOP", "SELL", "quote"]);
    assert.deepEqual(
      [next.price, next.stopPrice, next.size, next.isReduceOnly],
      ["", "", { by: "quote", text: "" }, false],
    );
    assert.equal(forMarket({ symbol: "BTCUSDT", draft }, "BTCUSDT").draft, draft);
  });
});
