import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Decimal } from "../../lib/decimal.ts";
import { largestNotional, notionalCapAt, percentOfQuantity, quantityOfPercent, quantityOfQuote } from "./sizing.ts";
import { isOnStep, textOnStep } from "./steps.ts";
import { BTC, ROOM } from "./testing.ts";

const dec = Decimal.parse;
const most = (change: Partial<typeof ROOM>, side: "BUY" | "SELL", price = "60000") =>
  largestNotional({ ...ROOM, ...change }, side, dec(price)).toString();

describe("sizes", () => {
  it("FUT-5: an amount of USDT is floored to whole lots at its price", () => {
    assert.equal(quantityOfQuote(dec("1000"), dec("60000.1"), "0.001").toString(), "0.016");
    assert.equal(quantityOfQuote(dec("59"), dec("60000.1"), "0.001").toString(), "0");
    assert.equal(quantityOfQuote(dec("60.0001"), dec("60000.1"), "0.001").toString(), "0.001");
    assert.equal(quantityOfQuote(dec("100"), Decimal.ZERO, "0.001").toString(), "0");
  });

  it("a part of what is possible is floored too, and all of it is all", () => {
    assert.equal(quantityOfPercent(100, dec("0.166"), "0.001").toString(), "0.166");
    assert.equal(quantityOfPercent(33, dec("0.1"), "0.001").toString(), "0.033");
    assert.equal(quantityOfPercent(1, dec("0.01"), "0.001").toString(), "0");
  });

  it("a typed quantity has its place on the slider", () => {
    assert.equal(percentOfQuantity(dec("0.05"), dec("0.2")), 25);
    assert.equal(percentOfQuantity(dec("1"), dec("0.2")), 100);
    assert.equal(percentOfQuantity(dec("1"), Decimal.ZERO), 0);
  });

  it("prices are written with the decimals of the tick, on it", () => {
    assert.equal(textOnStep(dec("60000.05"), "0.1", "ceil"), "60000.1");
    assert.equal(textOnStep(dec("60000"), "0.1", "floor"), "60000.0");
    assert.equal(isOnStep(dec("60000.1"), "0.1"), true);
    assert.equal(isOnStep(dec("60000.15"), "0.1"), false);
  });
});

describe("what is possible", () => {
  it("FUT-9: margin times leverage, when nothing is open", () => {
    assert.equal(most({}, "BUY"), "10000");
    assert.equal(most({}, "SELL"), "10000");
    assert.equal(most({ available: dec("-5") }, "BUY"), "0");
  });

  it("the fee is kept back", () => {
    // 10,000 × (1/10 + 0.0005) would need 1,005.
    assert.equal(most({ feeRate: dec("0.0005") }, "BUY"), "9950.248756");
  });

  it("a position is closed and turned without margin of its own", () => {
    // Long 6,000: selling 6,000 closes it, another 6,000 turns it for the margin it had, 10,000 more for the rest.
    assert.equal(most({ positionValue: dec("6000") }, "SELL"), "22000");
    assert.equal(most({ positionValue: dec("6000") }, "BUY"), "10000");
  });

  it("open orders of the same side are in the way, those of the other side are not", () => {
    assert.equal(most({ openSells: dec("4000") }, "BUY"), "14000");
    assert.equal(most({ openBuys: dec("4000") }, "BUY"), "10000");
  });

  it("what is bought above the mark loses at once", () => {
    // Bought at 60,600: each USDT needs a tenth as margin and a hundredth and a bit as loss.
    assert.equal(most({}, "BUY", "60600"), "9099.099099");
    assert.equal(most({}, "SELL", "60600"), "10000");
  });

  it("FUT-10: no more than the leverage allows, what is held included", () => {
    const notionalCap = notionalCapAt(BTC.brackets, 50);
    assert.equal(notionalCap.toString(), "100000");
    assert.equal(notionalCapAt(BTC.brackets, 25).toString(), "500000");
    assert.equal(notionalCapAt(BTC.brackets, 51).toString(), "0");
    assert.equal(
      most({ available: dec("50000"), leverage: 50, notionalCap, positionValue: dec("40000") }, "BUY"),
      "60000",
    );
  });
});
