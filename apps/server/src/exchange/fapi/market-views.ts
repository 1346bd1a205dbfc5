import {
  HALTED,
  MAX_LOTS,
  MAX_TICKS,
  type Market,
  type MarketStatus,
  ONE_e8,
  REDUCE_ONLY,
  TRADING,
  USDT_micros,
} from "@bourse/engine";
import { DAY_ms } from "../../kernel/dates.ts";
import {
  averagePriceText,
  decimalsOf,
  decimalText,
  moneyText,
  priceText,
  quantityText,
  rateText,
} from "../../kernel/units.ts";
import type { Kline as HistoricKline, PublicTrade } from "../history/records.ts";
import type { Kline } from "../market-data/kline-series.ts";
import type { AggTrade, Ticker, Trade } from "../market-data/market-board.ts";
import { GTD } from "../orders/good-till.ts";
import { ORDER_TYPE_NAMES, TIME_IN_FORCE_NAMES } from "../orders/names.ts";
import type { OrderRules } from "../orders/order-fields.ts";
import type { MarketState } from "./markets.ts";

/** 2100-12-25, which clients expect as the delivery date of perpetuals. */
const NEVER_ms = 4_133_404_800_000;
/** 2026-03-26, the day of the first release, is stated for every market. */
const ONBOARD_ms = Date.UTC(2026, 2, 26);
const QUOTE = "USDT";

const STATUS_NAMES: Readonly<Record<MarketStatus, string>> = {
  [TRADING]: "TRADING",
  [REDUCE_ONLY]: "REDUCE_ONLY",
  [HALTED]: "HALT",
};

const percentText = (rate_e8: number) => decimalText(rate_e8, 6, 4);

function filtersOf({ definition, band_e8 }: MarketState) {
  const lots = {
    minQty: quantityText(definition, 1),
    maxQty: quantityText(definition, MAX_LOTS),
    stepSize: quantityText(definition, 1),
  };
  return [
    {
      filterType: "PRICE_FILTER",
      minPrice: priceText(definition, 1),
      maxPrice: priceText(definition, MAX_TICKS),
      tickSize: priceText(definition, 1),
    },
    { filterType: "LOT_SIZE", ...lots },
    { filterType: "MARKET_LOT_SIZE", ...lots },
    { filterType: "MAX_NUM_ORDERS", limit: definition.maxOpenOrders },
    { filterType: "MAX_NUM_ALGO_ORDERS", limit: definition.maxConditionalOrders },
    { filterType: "MIN_NOTIONAL", notional: moneyText(definition.minNotional_micros, 0) },
    {
      filterType: "PERCENT_PRICE",
      multiplierUp: decimalText(ONE_e8 + band_e8, 8, 4),
      multiplierDown: decimalText(ONE_e8 - band_e8, 8, 4),
      multiplierDecimal: "4",
    },
  ];
}

export function baseAssetOf(symbol: string): string {
  return symbol.endsWith(QUOTE) && symbol.length > QUOTE.length ? symbol.slice(0, -QUOTE.length) : symbol;
}

/** What names a market as a contract. */
export const contractView = ({ definition: { symbol }, status }: MarketState) => ({
  symbol,
  pair: symbol,
  contractType: "PERPETUAL" as const,
  deliveryDate: NEVER_ms,
  onboardDate: ONBOARD_ms,
  status: STATUS_NAMES[status],
});

/** One market of `exchangeInfo`. */
export function symbolView(market: MarketState, { hasOrderTerms }: Pick<OrderRules, "hasOrderTerms">) {
  const { definition, band_e8, bound_e8 } = market;
  const [first] = definition.brackets;
  return {
    ...contractView(market),
    maintMarginPercent: percentText(first!.maintenanceRate_e8),
    requiredMarginPercent: percentText(Math.ceil(ONE_e8 / first!.maxLeverage)),
    baseAsset: baseAssetOf(definition.symbol),
    quoteAsset: QUOTE,
    marginAsset: QUOTE,
    pricePrecision: decimalsOf(definition.tickSize_e8),
    quantityPrecision: decimalsOf(definition.lotSize_e8),
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: "COIN",
    underlyingSubType: [],
    settlePlan: 0,
    triggerProtect: rateText(band_e8),
    liquidationFee: rateText(definition.liquidationFee_e8),
    marketTakeBound: rateText(bound_e8),
    filters: filtersOf(market),
    orderTypes: [...ORDER_TYPE_NAMES],
    timeInForce: hasOrderTerms ? [...TIME_IN_FORCE_NAMES, GTD] : [...TIME_IN_FORCE_NAMES],
  };
}

/** The brackets of a market as numbers. */
export const bracketViews = ({ brackets }: Market) =>
  brackets.map((bracket, place) => ({
    bracket: place + 1,
    initialLeverage: bracket.maxLeverage,
    notionalCap: bracket.cap_micros / USDT_micros,
    notionalFloor: (brackets[place - 1]?.cap_micros ?? 0) / USDT_micros,
    maintMarginRatio: bracket.maintenanceRate_e8 / ONE_e8,
    cum: bracket.cumulative_micros / USDT_micros,
  }));

/** The row of a ticker; a market without trades shows its mark price. */
export function tickerView({ definition, markTicks }: MarketState, ticker: Ticker | undefined, now_ms: number) {
  const price = (ticks: number) => priceText(definition, ticks);
  if (ticker === undefined) {
    const at = price(markTicks);
    return {
      symbol: definition.symbol,
      priceChange: price(0),
      priceChangePercent: "0.000",
      weightedAvgPrice: at,
      lastPrice: at,
      lastQty: quantityText(definition, 0),
      openPrice: at,
      highPrice: at,
      lowPrice: at,
      volume: quantityText(definition, 0),
      quoteVolume: moneyText(0),
      openTime: now_ms - DAY_ms,
      closeTime: now_ms,
      firstId: 0,
      lastId: 0,
      count: 0,
    };
  }
  const change = ticker.lastTicks - ticker.openTicks;
  return {
    symbol: definition.symbol,
    priceChange: price(change),
    priceChangePercent: decimalText(Math.round((change / Math.max(1, ticker.openTicks)) * 100_000), 3, 3),
    weightedAvgPrice:
      ticker.lots === 0 ? price(ticker.lastTicks) : averagePriceText(definition, ticker.quote_micros, ticker.lots),
    lastPrice: price(ticker.lastTicks),
    lastQty: quantityText(definition, ticker.lastLots),
    openPrice: price(ticker.openTicks),
    highPrice: price(ticker.highTicks),
    lowPrice: price(ticker.lowTicks),
    volume: quantityText(definition, ticker.lots),
    quoteVolume: moneyText(ticker.quote_micros),
    openTime: ticker.open_ms,
    closeTime: ticker.close_ms,
    firstId: ticker.firstTrade,
    lastId: ticker.lastTrade,
    count: ticker.trades,
  };
}

/** A trade from memory or from the database. */
export function tradeView({ definition }: MarketState, trade: Trade | PublicTrade) {
  return {
    id: "id" in trade ? trade.id : trade.trade,
    price: priceText(definition, trade.ticks),
    qty: quantityText(definition, trade.lots),
    quoteQty: moneyText(trade.quote_micros),
    time: trade.time_ms,
    isBuyerMaker: trade.isBuyerMaker,
  };
}

/** The trades of one taking order at one price. */
export const aggTradeView = (definition: Market, trade: AggTrade) => ({
  a: trade.id,
  p: priceText(definition, trade.ticks),
  q: quantityText(definition, trade.lots),
  f: trade.firstTrade,
  l: trade.lastTrade,
  T: trade.time_ms,
  m: trade.isBuyerMaker,
});

export type KlineRow = (number | string)[];

interface KlineFigures {
  readonly open_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly lots: number;
  readonly quote_micros: number | bigint;
  readonly trades: number;
  readonly takerLots: number;
  readonly takerQuote_micros: number | bigint;
}

/** The twelve columns that clients expect. Premiums are fractions, all other kinds are prices. */
export function klineRow(definition: Market, kline: KlineFigures, interval_ms: number, isPremium: boolean): KlineRow {
  const price = (value: number) => (isPremium ? decimalText(value, 8, 8) : priceText(definition, value));
  return [
    kline.open_ms,
    price(kline.open),
    price(kline.high),
    price(kline.low),
    price(kline.close),
    quantityText(definition, kline.lots),
    kline.open_ms + interval_ms - 1,
    moneyText(kline.quote_micros),
    kline.trades,
    quantityText(definition, kline.takerLots),
    moneyText(kline.takerQuote_micros),
    "0",
  ];
}

export function figuresOf(kline: Kline | HistoricKline): KlineFigures {
  if ("open" in kline) return kline;
  return {
    open_ms: kline.open_ms,
    open: kline.openTicks,
    high: kline.highTicks,
    low: kline.lowTicks,
    close: kline.closeTicks,
    lots: kline.lots,
    quote_micros: kline.quote_micros,
    trades: kline.trades,
    takerLots: kline.takerBuyLots,
    takerQuote_micros: kline.takerBuyQuote_micros,
  };
}
