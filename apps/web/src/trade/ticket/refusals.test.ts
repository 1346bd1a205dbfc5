import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RequestRefused, ServerUnreachable } from "@bourse/api/client";
import type { Draft } from "./draft.ts";
import { refusedOrder } from "./refusals.ts";
import { draftOf, PRICES } from "./testing.ts";

function told(details: object, change: Partial<Draft> = {}) {
  const error = new RequestRefused(400, { error: "no", code: "SOME_CODE", exchange_code: -1, details });
  const { field, title, advice } = refusedOrder(error, draftOf(change), PRICES);
  return [field, title, advice];
}

describe("refusals beside the field they concern", () => {
  it("post-only names the price it would have matched at", () => {
    assert.deepEqual(told({ rule: "post_only_would_take" }), [
      "price",
      "Rejected: post-only order would have matched at 60,000.1.",
      "Lower the price or drop post-only.",
    ]);
    assert.deepEqual(told({ rule: "post_only_would_take" }, { side: "SELL" }), [
      "price",
      "Rejected: post-only order would have matched at 59,999.9.",
      "Raise the price or drop post-only.",
    ]);
  });

  it("margin and bounds say how much", () => {
    assert.deepEqual(told({ rule: "margin_insufficient", limit: "10.00", actual: "1230.00" }), [
      "size",
      "Rejected: it needs 1,230.00 USDT of margin, and 10.00 USDT is free.",
      "Lower the size, raise the leverage, or deposit.",
    ]);
    assert.deepEqual(told({ rule: "price_above_band", limit: "63000.0", actual: "70000.0" }).slice(2), [
      "Lower it to 63,000.0 or less.",
    ]);
  });

  it("BON-8: a price too far from the mark for a bonus says how far it may be", () => {
    assert.deepEqual(told({ rule: "bonus_fair_price", limit: "60180.0", actual: "60300.0" }), [
      "price",
      "Rejected: with a bonus you open close to the mark only, and this price is too far above it.",
      "Lower it to 60,180.0 or less.",
    ]);
    assert.deepEqual(told({ rule: "bonus_fair_price", limit: "59820.0", actual: "59000.0" }, { side: "SELL" }), [
      "price",
      "Rejected: with a bonus you open close to the mark only, and this price is too far below it.",
      "Raise it to 59,820.0 or more.",
    ]);
  });

  it("finds out which trigger is meant", () => {
    const wrong = { rule: "would_trigger", limit: "60000.0" };
    assert.equal(told({ ...wrong, actual: "59000.0" })[0], "takeProfit");
    assert.equal(told({ ...wrong, actual: "61000.0" })[0], "stopLoss");
    assert.equal(told({ ...wrong, actual: "59000.0" }, { side: "SELL" })[0], "stopLoss");
    assert.equal(told({ ...wrong, actual: "1" }, { kind: "STOP_MARKET" })[0], "stopPrice");
    assert.equal(told({ ...wrong, actual: "1" }, { kind: "TRAILING_STOP_MARKET" })[0], "activatePrice");
  });

  it("what has no place of its own stands at the form, with the exchange's words", () => {
    assert.deepEqual(told({ rule: "something_new" }), ["form", "No.", undefined]);
    const { field, title } = refusedOrder(
      new ServerUnreachable(undefined, new TypeError("fetch failed")),
      draftOf({}),
      PRICES,
    );
    assert.deepEqual([field, title], ["form", "The exchange does not answer."]);
  });
});
