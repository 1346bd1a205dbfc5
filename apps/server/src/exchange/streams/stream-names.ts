import { type Interval, isInterval } from "../market-data/kline-series.ts";

/** A stream that a bot can name. `symbol` is in upper case; undefined means all markets. */
export type StreamSpec =
  | { readonly kind: "aggTrade" | "trade"; readonly symbol: string }
  | { readonly kind: "bookTicker" | "forceOrder"; readonly symbol: string | undefined }
  | { readonly kind: "ticker" | "miniTicker"; readonly symbol: string | undefined }
  | { readonly kind: "markPrice"; readonly symbol: string | undefined; readonly period_ms: number }
  | { readonly kind: "depth"; readonly symbol: string; readonly period_ms: number }
  | { readonly kind: "partialDepth"; readonly symbol: string; readonly levels: number; readonly period_ms: number }
  | { readonly kind: "kline" | "continuousKline"; readonly symbol: string; readonly interval: Interval }
  | { readonly kind: "contractInfo" | "assetIndex"; readonly symbol: undefined };

const DEPTH_DEFAULT_ms = 250;
const MARK_PRICE_DEFAULT_ms = 3_000;
const SECOND_ms = 1_000;

const ALL_SYMBOLS: Readonly<Record<string, StreamSpec>> = {
  "!bookTicker": { kind: "bookTicker", symbol: undefined },
  "!forceOrder@arr": { kind: "forceOrder", symbol: undefined },
  "!ticker@arr": { kind: "ticker", symbol: undefined },
  "!miniTicker@arr": { kind: "miniTicker", symbol: undefined },
  "!markPrice@arr": { kind: "markPrice", symbol: undefined, period_ms: MARK_PRICE_DEFAULT_ms },
  "!markPrice@arr@1s": { kind: "markPrice", symbol: undefined, period_ms: SECOND_ms },
  "!contractInfo": { kind: "contractInfo", symbol: undefined },
  "!assetIndex@arr": { kind: "assetIndex", symbol: undefined },
};

const OF_SYMBOL = /^([a-z0-9]{2,20})@(.+)$/;
const DEPTH = /^depth(5|10|20)?(?:@(100|250|500)ms)?$/;
/** Candles by pair and contract type. All contracts here are perpetual, and a pair has the name of its symbol. */
const CONTINUOUS_KLINE = /^([a-z0-9]{2,20})_perpetual@continuousKline_(\w+)$/;

/** Undefined if the name is not valid. Symbols in names are in lower case. */
export function parseStreamName(name: string): StreamSpec | undefined {
  if (Object.hasOwn(ALL_SYMBOLS, name)) return ALL_SYMBOLS[name];
  const [, pair, interval] = CONTINUOUS_KLINE.exec(name) ?? [];
  if (pair !== undefined && interval !== undefined) return klineOf("continuousKline", pair.toUpperCase(), interval);
  const [, lower, what] = OF_SYMBOL.exec(name) ?? [];
  if (lower === undefined || what === undefined) return undefined;
  const symbol = lower.toUpperCase();
  switch (what) {
    case "aggTrade":
    case "trade":
    case "bookTicker":
    case "forceOrder":
    case "ticker":
    case "miniTicker":
      return { kind: what, symbol };
    case "markPrice":
      return { kind: "markPrice", symbol, period_ms: MARK_PRICE_DEFAULT_ms };
    case "markPrice@1s":
      return { kind: "markPrice", symbol, period_ms: SECOND_ms };
    case "rpiDepth@500ms":
      // There are no orders for retail takers alone, so the book with them is the book.
      return { kind: "depth", symbol, period_ms: 500 };
  }
  if (what.startsWith("kline_")) return klineOf("kline", symbol, what.slice("kline_".length));
  const depth = DEPTH.exec(what);
  if (depth === null) return undefined;
  const period_ms = depth[2] === undefined ? DEPTH_DEFAULT_ms : Number(depth[2]);
  if (depth[1] === undefined) return { kind: "depth", symbol, period_ms };
  return { kind: "partialDepth", symbol, levels: Number(depth[1]), period_ms };
}

function klineOf(kind: "kline" | "continuousKline", symbol: string, interval: string): StreamSpec | undefined {
  return isInterval(interval) ? { kind, symbol, interval } : undefined;
}
