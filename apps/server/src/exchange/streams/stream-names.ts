import { type Interval, isInterval } from "../market-data/kline-series.ts";

/** A stream that a bot can name. `symbol` is in upper case; undefined means all markets. */
export type StreamSpec =
  | { readonly kind: "aggTrade" | "trade"; readonly symbol: string }
  | { readonly kind: "bookTicker" | "forceOrder"; readonly symbol: string | undefined }
  | { readonly kind: "ticker" | "miniTicker"; readonly symbol: string | undefined }
  | { readonly kind: "markPrice"; readonly symbol: string | undefined; readonly period_ms: number }
  | { readonly kind: "depth"; readonly symbol: string; readonly period_ms: number }
  | { readonly kind: "partialDepth"; readonly symbol: string; readonly levels: number; readonly period_ms: number }
  | { readonly kind: "kline"; readonly symbol: string; readonly interval: Interval };

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
};

const OF_SYMBOL = /^([a-z0-9]{2,20})@(.+)$/;
const DEPTH = /^depth(5|10|20)?(?:@(100|250|500)ms)?$/;

/** Undefined if the name is not valid. Symbols in names are in lower case. */
export function parseStreamName(name: string): StreamSpec | undefined {
  if (Object.hasOwn(ALL_SYMBOLS, name)) return ALL_SYMBOLS[name];
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
  }
  if (what.startsWith("kline_")) {
    const interval = what.slice("kline_".length);
    return isInterval(interval) ? { kind: "kline", symbol, interval } : undefined;
  }
  const depth = DEPTH.exec(what);
  if (depth === null) return undefined;
  const period_ms = depth[2] === undefined ? DEPTH_DEFAULT_ms : Number(depth[2]);
  if (depth[1] === undefined) return { kind: "depth", symbol, period_ms };
  return { kind: "partialDepth", symbol, levels: Number(depth[1]), period_ms };
}
