import {
  AccountEvents,
  AccountEventsQuery,
  AccountTradePage,
  ActivePositions,
  CursorQuery,
  EquityHistory,
  IncomePage,
  IncomeQuery,
  MarginModeQuery,
  MarginModeReply,
  MarginModeRequest,
  MarginModes,
  TradeListQuery,
  UnifiedAccount,
} from "@bourse/api";
import { CROSS, ISOLATED, type MarketState, NO_POSITION } from "@bourse/engine";
import { badRequest } from "../../kernel/errors.ts";
import { wallet } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { activePositions, unifiedAccount } from "./account-view.ts";
import { equityOfRecord, incomeOfRecord, tradeOfRecord } from "./history-view.ts";
import { findMarket } from "./markets.ts";
import { createPageReader } from "./pages.ts";
import type { AccountAreaOptions } from "./ports.ts";
import { assertDone, sendAccountError } from "./refusals.ts";
import { clampLimit, walletOf } from "./requests.ts";

const tags = ["Account"];

const MARGIN_MODES: Readonly<Record<string, typeof CROSS | typeof ISOLATED>> = {
  cross: CROSS,
  crossed: CROSS,
  isolated: ISOLATED,
};

/** WIRE-7: reads `margin_mode` or its alias `mode`, in upper or lower case. */
function readMarginMode({ margin_mode, mode }: { margin_mode?: string; mode?: string }) {
  const given = (margin_mode ?? mode)?.toLowerCase();
  if (given === undefined || !Object.hasOwn(MARGIN_MODES, given)) throw badRequest("margin_mode is cross or isolated");
  if (margin_mode !== undefined && mode !== undefined && mode.toLowerCase() !== given) {
    throw badRequest("margin_mode and mode differ");
  }
  return MARGIN_MODES[given]!;
}

/** FUT-18: the current state of the wallet's account. `prefix` is one of `PREFIXES` (T12). */
export function registerAccountReadRoutes(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange, directory } = options;
  const hide = prefix === "";

  app.get(
    `${prefix}/unified/account`,
    {
      config: { access: wallet, client: "account.unified" },
      schema: { hide, tags, summary: "Balances, margin and positions", response: { 200: UnifiedAccount } },
    },
    (request) => {
      const address = walletOf(request);
      return unifiedAccount(exchange.engine, address, directory.numberOf(address));
    },
  );

  app.get(
    `${prefix}/positions/active`,
    {
      config: { access: wallet, client: "account.positions" },
      schema: { hide, tags, summary: "Positions that are not flat", response: { 200: ActivePositions } },
    },
    (request) => {
      const account = directory.numberOf(walletOf(request));
      return { positions: account === undefined ? [] : activePositions(exchange.engine, account) };
    },
  );

  app.get(
    `${prefix}/account/events`,
    {
      config: { access: wallet, client: "account.events" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Private events, resumable",
        description:
          "Kept for 24 hours, over restarts as well. Begin with `after=0`; go on with `next_after`. Orders, tiers and " +
          "bonus: every event. Balances and positions: the latest state, not every one in between.",
        querystring: AccountEventsQuery,
        response: { 200: AccountEvents },
      },
    },
    async (request) => {
      const { after = 0, limit } = request.query;
      const account = directory.numberOf(walletOf(request));
      if (account === undefined) {
        return { events: [], next_after: after, last_seq: 0, has_more: false, is_complete: after === 0 };
      }
      const answer = await options.privateEvents.after(account, after, clampLimit(limit));
      const { events, last_seq, hasMore, isComplete } = answer;
      return {
        events: events.map(({ seq, channel, time_ms, data }) => ({ seq, channel, time: time_ms, data })),
        next_after: events.at(-1)?.seq ?? Math.max(after, last_seq),
        last_seq,
        has_more: hasMore,
        is_complete: isComplete,
      };
    },
  );
}

/** FUT-18: the account's history, read from the database. */
export function registerAccountHistoryRoutes(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange, history } = options;
  const hide = prefix === "";
  const readPage = createPageReader(options);

  app.get(
    `${prefix}/account/trades`,
    {
      config: { access: wallet, client: "account.trades" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Own trades, by time",
        querystring: TradeListQuery,
        response: { 200: AccountTradePage },
      },
    },
    async (request) => {
      const { account, query } = readPage(request, request.query);
      if (account === undefined) return { trades: [], total: 0, next_cursor: null };
      const page = await history.trades.page(account, query);
      const trades = page.rows.map((record) => tradeOfRecord(exchange.engine, record));
      return { trades, total: page.total, next_cursor: page.nextCursor };
    },
  );

  app.get(
    `${prefix}/account/income`,
    {
      config: { access: wallet, client: "account.income" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Income by time",
        querystring: IncomeQuery,
        response: { 200: IncomePage },
      },
    },
    async (request) => {
      const { account, query } = readPage(request, request.query);
      if (account === undefined) return { income: [], total: 0, next_cursor: null };
      const page = await history.money.incomePage(account, { ...query, type: request.query.type });
      const income = page.rows.map((record) => incomeOfRecord(exchange.engine, record));
      return { income, total: page.total, next_cursor: page.nextCursor };
    },
  );

  app.get(
    `${prefix}/account/equity-history`,
    {
      config: { access: wallet, client: "account.equityHistory" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Hourly equity of the account",
        querystring: CursorQuery,
        response: { 200: EquityHistory },
      },
    },
    async (request) => {
      const { account, query } = readPage(request, request.query);
      if (account === undefined) return { history: [], total: 0, next_cursor: null };
      const page = await history.money.equityPage(account, query);
      return { history: page.rows.map(equityOfRecord), total: page.total, next_cursor: page.nextCursor };
    },
  );
}

/** FUT-9: cross or isolated margin, per market. */
export function registerMarginModeRoutes(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange, directory } = options;
  const hide = prefix === "";

  function modeOf(account: number | undefined, { number, definition }: MarketState): MarginModeReply {
    const { positions } = exchange.engine.state;
    const position = account === undefined ? NO_POSITION : positions.find(account, number);
    const isIsolated = position !== NO_POSITION && positions.mode(position) === ISOLATED;
    return {
      symbol: definition.symbol,
      margin_mode: isIsolated ? "isolated" : "cross",
      leverage: position === NO_POSITION ? definition.defaultLeverage : positions.leverage(position),
    };
  }

  app.get(
    `${prefix}/account/margin-mode`,
    {
      config: { access: wallet, client: "account.marginModes(symbol?)" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Margin mode of one symbol, or of all",
        querystring: MarginModeQuery,
        response: { 200: MarginModes },
      },
    },
    (request) => {
      const account = directory.numberOf(walletOf(request));
      const { symbol } = request.query;
      if (symbol === undefined) {
        return { margin_modes: exchange.engine.state.markets.map((market) => modeOf(account, market)) };
      }
      const mode = modeOf(account, findMarket(exchange, symbol));
      return { ...mode, margin_modes: [mode] };
    },
  );

  app.post(
    `${prefix}/account/margin-mode`,
    {
      config: { access: wallet, client: "account.setMarginMode(symbol, margin_mode)" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Set cross or isolated margin for a symbol",
        description: "Refused while the symbol has open orders or a position, and isolated while there is a bonus.",
        body: MarginModeRequest,
        response: { 200: MarginModeReply },
      },
    },
    async (request) => {
      const address = walletOf(request);
      const mode = readMarginMode(request.body);
      const market = findMarket(exchange, request.body.symbol);
      const account = directory.numberOf(address) ?? (await directory.ensure(address));
      const command = { kind: "set_margin_mode", account, market: market.number, mode } as const;
      assertDone(await exchange.submit(command), market.definition);
      return modeOf(account, market);
    },
  );
}
