import type { FapiTicker } from "@bourse/api/client";
import { Decimal } from "../../../lib/decimal.ts";
import type { Market } from "../market-data.ts";

/** A market as the list shows it; without trades it has no figures. */
export interface MarketRow {
  readonly market: Market;
  readonly last: string | undefined;
  /** In percent. */
  readonly change: string | undefined;
  /** Of 24 hours in the quote asset. */
  readonly volume: string | undefined;
}

export type SortKey = "symbol" | "last" | "change" | "volume";
export interface Sorting {
  readonly by: SortKey;
  readonly isDescending: boolean;
}

export function rowsOf(markets: readonly Market[], tickers: readonly FapiTicker[]): readonly MarketRow[] {
  const bySymbol = new Map(tickers.map((ticker) => [ticker.symbol, ticker]));
  return markets.map((market) => {
    const ticker = bySymbol.get(market.symbol);
    return {
      market,
      last: ticker?.lastPrice ?? market.last_price ?? undefined,
      change: ticker?.priceChangePercent,
      volume: ticker?.quoteVolume,
    };
  });
}

/** Every word of the search is found in the symbol or in the names of its assets. */
export function searched(rows: readonly MarketRow[], search: string): readonly MarketRow[] {
  const words = search
    .toUpperCase()
    .split(/[\s/-]+/)
    .filter((word) => word !== "");
  return rows.filter(({ market: { symbol, base_asset, quote_asset } }) =>
    words.every((word) => symbol.includes(word) || base_asset.includes(word) || quote_asset.includes(word)),
  );
}

/** Sorted by value; markets without one are last in both directions. */
export function sorted(rows: readonly MarketRow[], { by, isDescending }: Sorting): readonly MarketRow[] {
  const direction = isDescending ? -1 : 1;
  const byName = (a: MarketRow, b: MarketRow) => a.market.symbol.localeCompare(b.market.symbol, "en");
  if (by === "symbol") return [...rows].sort((a, b) => direction * byName(a, b));
  return [...rows].sort((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined) || byName(a, b);
    return direction * Decimal.parse(x).compare(Decimal.parse(y)) || byName(a, b);
  });
}

/** A heading that is pressed: figures begin with the largest, names with A; pressed again it turns around. */
export const pressed = (now: Sorting, by: SortKey): Sorting =>
  now.by === by ? { by, isDescending: !now.isDescending } : { by, isDescending: by !== "symbol" };
