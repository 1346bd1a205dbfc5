import assert from "node:assert/strict";
import { it } from "node:test";
import { BUY, SELL } from "@bourse/engine";
import { HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";
import { KlineDrafts } from "./klines.ts";
import { MARK_KIND, TRADES_KIND } from "./tables.ts";

it("candles follow prices and sum up values beyond the safe range of a number", () => {
  const klines = new KlineDrafts();
  const quote_micros = Number.MAX_SAFE_INTEGER;
  const start_ms = 7 * HOUR_ms;
  for (const [place, ticks] of [50, 70, 20, 60].entries()) {
    klines.hearTrade(1, start_ms + place, { ticks, lots: 2, quote_micros, takerSide: place === 0 ? BUY : SELL });
  }
  klines.hearTrade(1, start_ms + MINUTE_ms, { ticks: 61, lots: 1, quote_micros: 3, takerSide: BUY });
  klines.hearPrices(1, start_ms, 55, 54);
  const rows = klines.rows.filter(({ kind }) => kind === TRADES_KIND);
  const figures = rows.map((row) => [
    row.interval_ms,
    row.open_ms - start_ms,
    [row.open_ticks, row.high_ticks, row.low_ticks, row.close_ticks],
    [row.lots, row.trades, row.taker_buy_lots],
    [row.quote_micros, row.taker_buy_quote_micros],
  ]);
  const large = BigInt(quote_micros);
  assert.deepEqual(figures, [
    [MINUTE_ms, 0, [50, 70, 20, 60], [8, 4, 2], [4n * large, large]],
    [HOUR_ms, 0, [50, 70, 20, 61], [9, 5, 3], [4n * large + 3n, large + 3n]],
    [MINUTE_ms, MINUTE_ms, [61, 61, 61, 61], [1, 1, 1], [3n, 3n]],
  ]);
  assert.deepEqual(
    klines.rows.filter(({ kind }) => kind === MARK_KIND).map(({ close_ticks, trades }) => [close_ticks, trades]),
    [
      [55, 0],
      [55, 0],
    ],
  );
});
