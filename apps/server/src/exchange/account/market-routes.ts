import {
  CursorQuery,
  ExternalTicker,
  FeeInfo,
  FundingRates,
  MarketList,
  type RiskEvent,
  RiskEvents,
  RiskEventsQuery,
  SymbolPath,
} from "@bourse/api";
import { BUY, FLOOR, type MarketState, mulDiv, NO_TICKS, readFund, readFundIn, SELL } from "@bourse/engine";
import type { FastifyRequest } from "fastify";
import { HOUR_ms } from "../../kernel/dates.ts";
import { badRequest, unauthorized } from "../../kernel/errors.ts";
import { anyone } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { pageReply, wholeReply } from "../../kernel/pages.ts";
import { decimalText, moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";
import type { FundingRecord } from "../history/market-history.ts";
import type { Exchange } from "../host/exchange.ts";
import { sideName } from "../orders/names.ts";
import type { RiskEventRow } from "../projector/tables.ts";
import { feeInfo, feeInfoOfNewcomer } from "./fee-info.ts";
import { findMarket, marketInfo } from "./markets.ts";
import type { AccountAreaOptions } from "./ports.ts";
import { sendAccountError } from "./refusals.ts";
import { clampLimit, headerText, readWindow } from "./requests.ts";

const tags = ["Markets"];
const PERCENT_DIGITS = 2;

/** FUT-14: the next full hour in UTC. */
export const nextFundingTime = (now_ms: number) => (Math.floor(now_ms / HOUR_ms) + 1) * HOUR_ms;

export function registerMarketsRoute(app: App, { exchange }: AccountAreaOptions): void {
  app.get(
    "/api/v1/markets",
    {
      config: { access: anyone, client: "market.markets" },
      schema: { tags, summary: "All markets with their parameters", response: { 200: MarketList } },
    },
    () => wholeReply(exchange.engine.state.markets.map(marketInfo), "markets"),
  );
}

/** FUT-24: the public record of liquidations and of the fund. */
export function registerRiskEventsRoute(app: App, { exchange, clock, history }: AccountAreaOptions): void {
  app.get(
    "/api/v1/markets/:symbol/risk-events",
    {
      config: { access: anyone, client: "market.riskEvents" },
      errorHandler: sendAccountError,
      schema: {
        tags,
        summary: "Liquidations, take-overs, auto-deleveraging and the fund's fills",
        description:
          "With what the fund has lost, may lose and holds in the market at present. Accounts are named by number. `total` counts 10,000 at most.",
        params: SymbolPath,
        querystring: RiskEventsQuery,
        response: { 200: RiskEvents },
      },
    },
    async (request) => {
      const market = findMarket(exchange, request.params.symbol);
      const { after, order, limit, cursor } = request.query;
      const isDescending = order === "desc";
      if (isDescending && after !== undefined)
        throw badRequest("after names the event before later ones: order is asc");
      const named = after === undefined ? {} : { after: after.split("-").map(Number) };
      const page = await history.risk.events(market.number, { limit, cursor, isDescending, ...named });
      return {
        symbol: market.definition.symbol,
        time: clock.now(),
        ...fundInMarket(exchange.engine.state, market),
        ...pageReply(page, (row) => riskEventView(market, row)),
      };
    },
  );
}

function fundInMarket(state: Exchange["engine"]["state"], market: MarketState) {
  const figures = readFundIn(state, market);
  return {
    equity: moneyText(readFund(state).equity_micros),
    outflow: moneyText(figures.outflow_micros),
    cap: moneyText(figures.cap_micros),
    inventory: quantityText(market.definition, figures.lots),
    inventory_limit: quantityText(market.definition, figures.limitLots),
    inventory_since: figures.since_ms,
    capped: figures.isCapped,
    capped_until: figures.cappedUntil_ms,
  };
}

function riskEventView({ definition }: MarketState, row: RiskEventRow): RiskEvent {
  const priceOrNull = (ticks: number | null) => (ticks === null ? null : priceText(definition, ticks));
  const moneyOrNull = (micros: number | null) => (micros === null ? null : moneyText(micros));
  return {
    id: `${row.command_number}-${row.event_index}`,
    time: row.time_ms,
    kind: row.kind as RiskEvent["kind"],
    account: row.account,
    counterparty: row.counterparty,
    side: row.side === null ? null : sideName(row.side),
    quantity: row.lots === null ? null : quantityText(definition, row.lots),
    price: priceOrNull(row.ticks),
    mark_price: priceOrNull(row.mark_ticks),
    index_price: priceOrNull(row.index_ticks),
    reason: row.reason === "" ? null : row.reason,
    outflow: moneyOrNull(row.outflow_micros),
    cap: moneyOrNull(row.cap_micros),
    equity: moneyOrNull(row.equity_micros),
    until: row.until_ms,
  };
}

/** FUT-18: public data of a market. `prefix` is one of `PREFIXES` (T12). */
export function registerMarketRoutes(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange, clock, history, prices } = options;
  const hide = prefix === "";

  app.get(
    `${prefix}/funding-rates/:symbol`,
    {
      config: { access: anyone, client: "market.fundingRates" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Funding: estimated and settled rates",
        params: SymbolPath,
        querystring: CursorQuery,
        response: { 200: FundingRates },
      },
    },
    async (request) => {
      const market = findMarket(exchange, request.params.symbol);
      const { limit, order, cursor } = request.query;
      const part = { cursor, limit: clampLimit(limit), isDescending: order === "desc" };
      const page = await history.markets.fundingPage(market.number, { ...readWindow(request.query), ...part });
      const settled = (row: FundingRecord) => ({
        time: row.time_ms,
        rate: rateText(row.rate_e8),
        mark_price: priceText(market.definition, row.markTicks),
      });
      return {
        symbol: market.definition.symbol,
        estimated_rate: rateText(prices.estimate_e8(market.number)),
        next_funding_time: nextFundingTime(clock.now()),
        interval_hours: 1 as const,
        mark_price: priceText(market.definition, market.markTicks),
        index_price: priceText(market.definition, market.indexTicks),
        ...pageReply(page, settled, "history"),
      };
    },
  );

  app.get(
    `${prefix}/external/markets/:symbol/ticker`,
    {
      config: { access: anyone, client: "market.ticker" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Prices and the last 24 hours of a market",
        params: SymbolPath,
        response: { 200: ExternalTicker },
      },
    },
    (request) => tickerOf(options, request.params.symbol),
  );
}

/** WIRE-10. `prefix` is one of `PREFIXES` (T12). */
export function registerFeeInfoRoute(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange } = options;
  const hide = prefix === "";

  app.get(
    `${prefix}/account/fee-info`,
    {
      config: { access: anyone, client: "account.feeInfo" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "The fee schedule; with a wallet's token also its own rates",
        response: { 200: FeeInfo },
      },
    },
    async (request) => {
      const address = await optionalWallet(options, request);
      if (address === undefined) return feeInfo(exchange.engine);
      const account = options.directory.numberOf(address);
      return account === undefined ? feeInfoOfNewcomer() : feeInfo(exchange.engine, account);
    },
  );
}

/** The signed-in wallet on a route that is open to anyone. A request with an invalid token is refused. */
async function optionalWallet({ tokens }: AccountAreaOptions, request: FastifyRequest): Promise<string | undefined> {
  const header = headerText(request, "authorization");
  if (header === undefined) return undefined;
  const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw unauthorized("the Authorization header must be Bearer and a token");
  const { role, subject } = await tokens.verify(token);
  return role === "wallet" ? subject : undefined;
}

function tickerOf({ exchange, marketData, clock }: AccountAreaOptions, symbol: string): ExternalTicker {
  const market = findMarket(exchange, symbol);
  const { definition, markTicks, indexTicks, book } = market;
  const price = (ticks: number) => priceText(definition, ticks);
  const best = (ticks: number) => (ticks === NO_TICKS ? null : price(ticks));
  const lastTicks = market.lastTicks === 0 ? markTicks : market.lastTicks;
  const ticker = marketData.ticker(market.number);
  const openTicks = ticker?.openTicks ?? lastTicks;
  const change = lastTicks - openTicks;
  const now_ms = clock.now();
  return {
    symbol: definition.symbol,
    last_price: price(lastTicks),
    mark_price: price(markTicks),
    index_price: price(indexTicks),
    best_bid: best(book.bestTicks(BUY)),
    best_ask: best(book.bestTicks(SELL)),
    open_price: price(openTicks),
    high_price: price(ticker?.highTicks ?? lastTicks),
    low_price: price(ticker?.lowTicks ?? lastTicks),
    price_change: price(change),
    price_change_percent:
      openTicks === 0 ? "0.00" : decimalText(mulDiv(change, 10_000, openTicks, FLOOR), PERCENT_DIGITS, PERCENT_DIGITS),
    volume: quantityText(definition, ticker?.lots ?? 0),
    quote_volume: moneyText(ticker?.quote_micros ?? 0),
    trades: ticker?.trades ?? 0,
    open_interest: quantityText(definition, market.openInterestLots),
    next_funding_time: nextFundingTime(now_ms),
    time: now_ms,
  };
}
