import { FapiKline, marketParameters as parameters } from "@bourse/api";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal, invalidParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { INTERVAL_NAMES, INTERVALS, type Interval, isInterval } from "../market-data/kline-series.ts";
import type { KlineKind } from "../market-data/market-data.ts";
import { INDEX_KIND, MARK_KIND, TRADES_KIND } from "../projector/tables.ts";
import { anyone } from "./access.ts";
import { type FapiContext, publicRoute, windowOf } from "./context.ts";
import { figuresOf, type KlineRow, klineRow } from "./market-views.ts";
import type { MarketState } from "./markets.ts";

/** The kinds that the database stores, with their numbers there. */
const KEPT_KINDS = { trade: TRADES_KIND, mark: MARK_KIND, index: INDEX_KIND, premium: undefined } as const;
const DEFAULT_KLINES = 500;
const MAX_KLINES = 1500;

function intervalOf(parameters_: FapiParameters): Interval {
  const name = parameters_.requiredText("interval");
  if (!isInterval(name))
    throw fapiRefusal("INTERVAL", { details: { rule: "interval", limit: INTERVAL_NAMES.join(", ") } });
  return name;
}

const queryOf = (parameters_: FapiParameters) => ({
  interval: intervalOf(parameters_),
  ...windowOf(parameters_, DEFAULT_KLINES, MAX_KLINES),
});
type KlineQuery = ReturnType<typeof queryOf>;

/** Klines from memory, or from the database if the query begins before those in memory. */
async function readKlines(
  { marketData, history }: FapiContext,
  { number, definition }: MarketState,
  { interval, ...query }: KlineQuery,
  kind: KlineKind,
): Promise<KlineRow[]> {
  const interval_ms = INTERVALS[interval];
  const kept = KEPT_KINDS[kind];
  const board = marketData.board(number);
  const set = { trade: board.klines, mark: board.markKlines, index: board.indexKlines, premium: board.premiumKlines }[
    kind
  ];
  const from_ms = query.start_ms ?? (query.end_ms === undefined ? undefined : query.end_ms - query.limit * interval_ms);
  const isOlder = kept !== undefined && from_ms !== undefined && from_ms < (set.of(interval).oldest_ms ?? Infinity);
  const klines = isOlder
    ? await history.markets.klines({ ...query, market: number, interval_ms, kind: kept })
    : marketData.klines(number, interval, query, kind);
  return klines.map((kline) => klineRow(definition, figuresOf(kline), interval_ms, kind === "premium"));
}

/** Klines of trades and of the mark price, index price and premium. */
export function registerKlineRoutes(app: App, context: FapiContext): void {
  const { markets } = context;
  const reply = Type.Array(FapiKline);

  const bySymbol = [
    ["klines", "trade", "Klines of trades"],
    ["markPriceKlines", "mark", "Klines of the mark price"],
    ["premiumIndexKlines", "premium", "Klines of the mark's premium over the index"],
  ] as const;
  for (const [name, kind, summary] of bySymbol) {
    app.get(
      `/fapi/v1/${name}`,
      publicRoute({
        access: anyone(5),
        client: `market.${name}(symbol, interval)`,
        summary,
        parameters: parameters.klines,
        reply,
      }),
      ({ fapi }) => {
        const symbol = fapi.requiredText("symbol");
        const query = queryOf(fapi);
        return readKlines(context, markets.named(symbol), query, kind);
      },
    );
  }

  app.get(
    "/fapi/v1/indexPriceKlines",
    publicRoute({
      access: anyone(5),
      client: "market.indexPriceKlines(pair, interval)",
      summary: "Klines of the index price",
      parameters: parameters.pairKlines,
      reply,
    }),
    ({ fapi }) => {
      const pair = fapi.requiredText("pair");
      const query = queryOf(fapi);
      return readKlines(context, markets.named(pair), query, "index");
    },
  );

  app.get(
    "/fapi/v1/continuousKlines",
    publicRoute({
      access: anyone(5),
      summary: "Klines of trades by pair",
      parameters: parameters.continuousKlines,
      reply,
    }),
    ({ fapi }) => {
      const pair = fapi.requiredText("pair");
      const contractType = fapi.requiredText("contractType");
      const query = queryOf(fapi);
      if (contractType !== "PERPETUAL") throw invalidParameter("contractType", { rule: "enum", limit: "PERPETUAL" });
      return readKlines(context, markets.named(pair), query, "trade");
    },
  );
}
