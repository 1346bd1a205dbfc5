import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  averagePriceText,
  decimalText,
  finePriceText,
  moneyText,
  parseDecimal,
  parseMoney,
  parseSize,
  priceText,
  quantityText,
  rateText,
} from "./units.ts";

const btc = { tickSize_e8: 10_000_000, lotSize_e8: 100_000 };
const avax = { tickSize_e8: 100_000, lotSize_e8: 100_000_000 };

describe("units of the wire", () => {
  it("writes prices with the decimals of the tick and quantities with those of the lot", () => {
    assert.equal(priceText(btc, 600_001), "60000.1");
    assert.equal(priceText(btc, 600_000), "60000.0");
    assert.equal(priceText(avax, 21_005), "21.005");
    assert.equal(quantityText(btc, 1), "0.001");
    assert.equal(quantityText(btc, -1_500), "-1.500");
    assert.equal(quantityText(avax, 7), "7");
  });

  it("writes money, rates and prices between ticks exactly", () => {
    assert.equal(moneyText(1_000_000_000), "1000.00");
    assert.equal(moneyText(-1), "-0.000001");
    assert.equal(rateText(50_000), "0.0005");
    assert.equal(rateText(0), "0");
    assert.equal(finePriceText(btc, 585_858_585_858), "58585.8585858");
    assert.equal(decimalText(-5, 0), "-5");
  });

  it("writes an average price rounded half up", () => {
    assert.equal(averagePriceText(btc, 9_000_000_000, 150), "60000.0");
    assert.equal(averagePriceText(btc, 180_000_100, 3), "60000.033");
    assert.equal(averagePriceText(btc, 0, 0), "0");
  });

  it("reads plain decimals exactly, and nothing else", () => {
    assert.deepEqual(parseMoney("12.3456789"), { value: 12_345_678, isInexact: true });
    assert.deepEqual(parseMoney("12.345600"), { value: 12_345_600, isInexact: false });
    assert.deepEqual(parseSize(".5"), { value: 50_000_000, isInexact: false });
    assert.deepEqual(parseSize("-0"), { value: 0, isInexact: false });
    for (const text of [
      "",
      " 1",
      "1e3",
      "+1",
      "0x10",
      "1,5",
      "NaN",
      "Infinity",
      ".",
      "1.2.3",
      "99999999999999999999",
    ]) {
      assert.equal(parseDecimal(text, 8), undefined, text);
    }
  });
});
