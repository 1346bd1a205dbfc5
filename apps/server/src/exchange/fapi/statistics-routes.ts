import {
  FapiBasis,
  FapiLongShortRatio,
  FapiOpenInterestPoint,
  type FapiPeriod,
  FapiTakerVolume,
  statisticsParameters as parameters,
} from "@bourse/api";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { invalidParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { INTERVALS } from "../market-data/kline-series.ts";
import type { SampleRow } from "../statistics/tables.ts";
import { anyone } from "./access.ts";
import { type FapiContext, publicRoute, windowOf } from "./context.ts";
import type { MarketState } from "./markets.ts";
import { basisView, longShortView, openInterestView, takerVolumeView } from "./statistics-views.ts";

const PERIODS: readonly FapiPeriod[] = ["5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"];
const USUAL_POINTS = 30;
const MAX_POINTS = 500;

function periodOf(parameters_: FapiParameters): number {
  const name = parameters_.requiredText("period");
  const period = PERIODS.find((each) => each === name);
  if (period === undefined) throw invalidParameter("period", { rule: "enum", limit: PERIODS.join(", ") });
  return INTERVALS[period];
}

/** The period, the window and the market, which has the name `symbol` or `pair`. */
function queryOf({ markets }: FapiContext, fapi: FapiParameters, name: "symbol" | "pair") {
  const symbol = fapi.requiredText(name);
  const period_ms = periodOf(fapi);
  const window = windowOf(fapi, USUAL_POINTS, MAX_POINTS);
  const market = markets.named(symbol);
  return { market, query: { ...window, period_ms, market: market.number } };
}

/** Each with its sides in a sample. */
const RATIOS = [
  {
    name: "globalLongShortAccountRatio",
    summary: "Accounts that are long and short",
    sides: ({ long_accounts, short_accounts }: SampleRow) => [long_accounts, short_accounts] as const,
  },
  {
    name: "topLongShortAccountRatio",
    summary: "The same of the fifth of traders with the highest margin balance",
    sides: ({ top_long_accounts, top_short_accounts }: SampleRow) => [top_long_accounts, top_short_accounts] as const,
  },
  {
    name: "topLongShortPositionRatio",
    summary: "The positions of the fifth of traders with the highest margin balance",
    sides: ({ top_long_lots, top_short_lots }: SampleRow) => [top_long_lots, top_short_lots] as const,
  },
];

function registerSampled(app: App, context: FapiContext): void {
  const { statistics } = context.history;
  app.get(
    "/futures/data/openInterestHist",
    publicRoute({
      access: anyone(1),
      client: "market.openInterestHistory(symbol, period)",
      summary: "Open interest of the past",
      parameters: parameters.ofSymbol,
      reply: Type.Array(FapiOpenInterestPoint),
    }),
    async ({ fapi }) => {
      const { market, query } = queryOf(context, fapi, "symbol");
      return (await statistics.samples(query)).map((sample) => openInterestView(sample, market));
    },
  );

  for (const { name, summary, sides } of RATIOS) {
    app.get(
      `/futures/data/${name}`,
      publicRoute({
        access: anyone(1),
        client: `market.${name}(symbol, period)`,
        summary,
        parameters: parameters.ofSymbol,
        reply: Type.Array(FapiLongShortRatio),
      }),
      async ({ fapi }) => {
        const { market, query } = queryOf(context, fapi, "symbol");
        const samples = await statistics.samples(query);
        return samples.flatMap((sample) => longShortView(sample, market, ...sides(sample)) ?? []);
      },
    );
  }
}

function registerTakerVolume(app: App, context: FapiContext): void {
  const { statistics, markets } = context.history;
  app.get(
    "/futures/data/takerlongshortRatio",
    publicRoute({
      access: anyone(1),
      client: "market.takerVolumes(symbol, period)",
      summary: "What takers bought and sold",
      description: "Of periods that have ended and in which something was traded.",
      parameters: parameters.ofSymbol,
      reply: Type.Array(FapiTakerVolume),
    }),
    async ({ fapi }) => {
      const { market, query } = queryOf(context, fapi, "symbol");
      await markets.upToDate();
      return (await statistics.takerVolumes(query)).map((volume) => takerVolumeView(volume, market));
    },
  );
}

function registerBasis(app: App, context: FapiContext): void {
  const { statistics } = context.history;
  const viewsOf = (samples: readonly SampleRow[], market: MarketState) =>
    samples.flatMap((sample) => basisView(sample, market) ?? []);
  app.get(
    "/futures/data/basis",
    publicRoute({
      access: anyone(1),
      client: "market.basis(pair, period)",
      summary: "Last price over the index",
      parameters: parameters.ofPair,
      reply: Type.Array(FapiBasis),
    }),
    async ({ fapi }) => {
      const contractType = fapi.requiredText("contractType");
      const { market, query } = queryOf(context, fapi, "pair");
      if (contractType !== "PERPETUAL") throw invalidParameter("contractType", { rule: "enum", limit: "PERPETUAL" });
      return viewsOf(await statistics.samples(query), market);
    },
  );
}

/** FUT-20: statistics of the last 30 days, from samples of five minutes and from trades. */
export function registerStatisticsRoutes(app: App, context: FapiContext): void {
  registerSampled(app, context);
  registerTakerVolume(app, context);
  registerBasis(app, context);
}
