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
import { pageReply, wholeReply } from "../../kernel/pages.ts";
import { activePositions, unifiedAccount } from "./account-view.ts";
import { equityOfRecord, incomeOfRecord, tradeOfRecord } from "./history-view.ts";
import { findMarket } from "./markets.ts";
import { createPageReader } from "./pages.ts";
import type { AccountAreaOptions } from "./ports.ts";
import { engineRefusal, sendAccountError } from "./refusals.ts";
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
  const { exchange, directory, cursors } = options;
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
      return wholeReply(account === undefined ? [] : activePositions(exchange.engine, account), "positions");
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
          "Kept for 24 hours, over restarts as well. Begin with `after=0`; go on with `next_cursor`, or with `next_after`, " +
          "which also resumes behind the last event. Orders, tiers and bonus: every event. Balances and positions: the " +
          "latest state, not every one in between.",
        querystring: AccountEventsQuery,
        response: { 200: AccountEvents },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      if (cursor !== undefined && request.query.after !== undefined) throw badRequest("give either cursor or after");
      const account = directory.numberOf(walletOf(request));
      const list = ["events", account ?? "none"];
      const after = cursor === undefined ? (request.query.after ?? 0) : Number(cursors.decode(list, cursor)[0]);
      if (account === undefined) {
        const none = { next_after: after, last_seq: 0, has_more: false, is_complete: after === 0 };
        return { ...wholeReply([], "events"), ...none };
      }
      const answer = await options.privateEvents.after(account, after, clampLimit(limit));
      const { events, last_seq, hasMore, isComplete } = answer;
      const next_after = events.at(-1)?.seq ?? Math.max(after, last_seq);
      const page = { rows: events, total: -1, nextCursor: hasMore ? cursors.encode(list, [next_after]) : null };
      return {
        ...pageReply(page, ({ time_ms, ...event }) => ({ ...event, time: time_ms }), "events"),
        next_after,
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
      if (account === undefined) return wholeReply([], "trades");
      const page = await history.trades.page(account, query);
      return pageReply(page, (record) => tradeOfRecord(exchange.engine, record), "trades");
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
      if (account === undefined) return wholeReply([], "income");
      const page = await history.money.incomePage(account, { ...query, type: request.query.type });
      return pageReply(page, (record) => incomeOfRecord(exchange.engine, record), "income");
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
      if (account === undefined) return wholeReply([], "history");
      return pageReply(await history.money.equityPage(account, query), equityOfRecord, "history");
    },
  );
}

/** FUT-9: cross or isolated margin, per market. */
export function registerMarginModeRoutes(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange, directory, accountSettings } = options;
  const hide = prefix === "";

  /** SEC-11: a wallet without an account has what it has chosen. */
  async function createModeReader(address: string): Promise<(market: MarketState) => MarginModeReply> {
    const kept = await accountSettings.keptOf(address);
    const account = directory.numberOf(address);
    const { positions } = exchange.engine.state;
    return ({ number, definition }) => {
      const position = account === undefined ? NO_POSITION : positions.find(account, number);
      const isOpen = position !== NO_POSITION;
      const mode = isOpen ? positions.mode(position) : kept.get(number)?.mode;
      const leverage = isOpen ? positions.leverage(position) : kept.get(number)?.leverage;
      return {
        symbol: definition.symbol,
        margin_mode: mode === ISOLATED ? "isolated" : "cross",
        leverage: leverage ?? definition.defaultLeverage,
      };
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
    async (request) => {
      const { symbol } = request.query;
      const markets = symbol === undefined ? exchange.engine.state.markets : [findMarket(exchange, symbol)];
      const modes = markets.map(await createModeReader(walletOf(request)));
      const [mode] = modes;
      if (symbol === undefined || mode === undefined) return wholeReply(modes, "margin_modes");
      return { ...mode, ...wholeReply([mode], "margin_modes") };
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
      const refusal = await accountSettings.set(address, market, { mode });
      if (refusal !== undefined) throw engineRefusal(refusal, market.definition);
      return (await createModeReader(address))(market);
    },
  );
}
