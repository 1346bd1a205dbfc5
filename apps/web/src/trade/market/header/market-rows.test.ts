import assert from "node:assert/strict";
import { test } from "node:test";
import type { FapiTicker } from "@bourse/api/client";
import type { Market } from "../market-data.ts";
import { pressed, rowsOf, searched, sorted } from "./market-rows.ts";

const market = (base_asset: string) =>
  ({ symbol: `${base_asset}USDT`, base_asset, quote_asset: "USDT", last_price: null }) as Market;
const ticker = (symbol: string, lastPrice: string, priceChangePercent: string, quoteVolume: string) =>
  ({ symbol, lastPrice, priceChangePercent, quoteVolume }) as FapiTicker;

const ROWS = rowsOf(
  [market("BTC"), market("ETH"), market("NEW"), market("SOL")],
  [
    ticker("BTCUSDT", "60000.1", "-0.215", "9000000"),
    ticker("ETHUSDT", "2993.05", "1.1", "10000000"),
    ticker("SOLUSDT", "150.11", "0", "900"),
  ],
);
const names = (rows: readonly { market: Market }[]) => rows.map(({ market: { base_asset } }) => base_asset);

test("figures are sorted by value, not by their text, and markets without any stand last", () => {
  assert.deepEqual(names(sorted(ROWS, { by: "volume", isDescending: true })), ["ETH", "BTC", "SOL", "NEW"]);
  assert.deepEqual(names(sorted(ROWS, { by: "change", isDescending: false })), ["BTC", "SOL", "ETH", "NEW"]);
  assert.deepEqual(names(sorted(ROWS, { by: "last", isDescending: true })), ["BTC", "ETH", "SOL", "NEW"]);
  assert.deepEqual(names(sorted(ROWS, { by: "symbol", isDescending: true })), ["SOL", "NEW", "ETH", "BTC"]);
});

test("a search finds parts of names, in any case and with any stroke between them", () => {
  assert.deepEqual(names(searched(ROWS, "bt")), ["BTC"]);
  assert.deepEqual(names(searched(ROWS, "sol/usdt")), ["SOL"]);
  assert.deepEqual(names(searched(ROWS, "")), ["BTC", "ETH", "NEW", "SOL"]);
  assert.deepEqual(names(searched(ROWS, "doge")), []);
});

test("a heading that is pressed twice turns around", () => {
  const first = pressed({ by: "symbol", isDescending: false }, "volume");
  assert.deepEqual(first, { by: "volume", isDescending: true });
  assert.deepEqual(pressed(first, "volume"), { by: "volume", isDescending: false });
  assert.deepEqual(pressed(first, "symbol"), { by: "symbol", isDescending: false });
});
