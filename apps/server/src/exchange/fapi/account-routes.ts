import {
  FapiAccount,
  FapiAccountConfig,
  FapiAdlQuantile,
  FapiBalance,
  FapiCommissionRate,
  FapiIncome,
  FapiOrder,
  FapiPositionRisk,
  FapiRateLimit,
  FapiSymbolConfig,
  FapiTradingStatus,
  FapiUserTrade,
  accountParameters as parameters,
} from "@bourse/api";
import { NO_POSITION } from "@bourse/engine";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { invalidParameter } from "../../kernel/http/error-replies.ts";
import { moneyText, rateText } from "../../kernel/units.ts";
import { orderView } from "../orders/fapi-views.ts";
import { INCOME_TYPES, type IncomeType } from "../projector/incomes.ts";
import { reading } from "./access.ts";
import { accountOf, type FapiContext, idOf, keptOf, operation, pageOf, signedRoute, windowOf } from "./context.ts";
import { incomeView, userTradeView } from "./history-views.ts";
import { rateLimitsOf } from "./market-routes.ts";

/** Balances and positions, in the formats of both versions. */
export function balanceOperations(context: FapiContext, version: 2 | 3) {
  const { views, reader, markets } = context;
  return {
    account: operation(
      signedRoute({ access: reading(5), summary: "Balances, margin and positions", reply: FapiAccount }),
      async (call) => views.account(accountOf(context, call), version, await keptOf(context, call)),
    ),

    balance: operation(
      signedRoute({ access: reading(5), summary: "Balances", reply: Type.Array(FapiBalance) }),
      (call) => views.balance(accountOf(context, call)),
    ),

    positionRisk: operation(
      signedRoute({
        access: reading(5),
        client: version === 3 ? "account.positionRisk(symbol?)" : [],
        summary: "Positions and their risk",
        parameters: parameters.maybeSymbol,
        reply: Type.Array(FapiPositionRisk),
      }),
      async (call) => {
        const market = markets.optional(call.fapi);
        const kept = await keptOf(context, call);
        const account = accountOf(context, call);
        return views.positionRisk(account, reader.positions(account, market, kept), version);
      },
    ),
  };
}

function registerBalances(app: App, context: FapiContext): void {
  for (const version of [2, 3] as const) {
    const { account, balance, positionRisk } = balanceOperations(context, version);
    app.get(`/fapi/v${version}/account`, account.route, account.handle);
    app.get(`/fapi/v${version}/balance`, balance.route, balance.handle);
    app.get(`/fapi/v${version}/positionRisk`, positionRisk.route, positionRisk.handle);
    if (version === 2) app.get("/fapi/v1/positionRisk", positionRisk.route, positionRisk.handle);
  }
}

function registerConfiguration(app: App, context: FapiContext): void {
  const { clock, reader, markets } = context;
  app.get(
    "/fapi/v1/accountConfig",
    signedRoute({ access: reading(5), summary: "Settings of the account", reply: FapiAccountConfig }),
    (request) => ({
      feeTier: reader.tier(accountOf(context, request)),
      canTrade: true,
      canDeposit: true,
      canWithdraw: true,
      dualSidePosition: false,
      multiAssetsMargin: false,
      updateTime: 0,
      tradeGroupId: -1,
    }),
  );

  app.get(
    "/fapi/v1/symbolConfig",
    signedRoute({
      access: reading(5),
      client: "account.symbolConfigs(symbol?)",
      summary: "Settings by symbol",
      parameters: parameters.maybeSymbol,
      reply: Type.Array(FapiSymbolConfig),
    }),
    async (request) => {
      const market = markets.optional(request.fapi);
      const kept = await keptOf(context, request);
      return reader.positions(accountOf(context, request), market, kept).map((position) => ({
        symbol: position.market.definition.symbol,
        marginType: position.isIsolated ? "ISOLATED" : "CROSSED",
        leverage: position.leverage,
        isAutoAddMargin: false,
        maxNotionalValue: moneyText(position.maxNotional_micros, 0),
      }));
    },
  );

  app.get(
    "/fapi/v1/commissionRate",
    signedRoute({
      access: reading(20),
      client: "account.commissionRate(symbol)",
      summary: "Effective fee rates",
      parameters: parameters.symbol,
      reply: FapiCommissionRate,
    }),
    (request) => {
      const { definition } = markets.required(request.fapi);
      const { maker_e8, taker_e8 } = reader.rates_e8(accountOf(context, request));
      return {
        symbol: definition.symbol,
        makerCommissionRate: rateText(maker_e8),
        takerCommissionRate: rateText(taker_e8),
      };
    },
  );

  app.get(
    "/fapi/v1/rateLimit/order",
    signedRoute({
      access: reading(1),
      client: "account.orderRateLimits",
      summary: "Order limits",
      reply: Type.Array(FapiRateLimit),
    }),
    () => [...rateLimitsOf(context).orders],
  );

  app.get(
    "/fapi/v1/apiTradingStatus",
    signedRoute({
      access: reading(1),
      summary: "Trading restrictions",
      description: "There are none.",
      reply: FapiTradingStatus,
    }),
    () => ({ indicators: {}, updateTime: clock.now() }),
  );
}

const isIncomeType = (text: string): text is IncomeType => INCOME_TYPES.some((type) => type === text);

function registerHistory(app: App, context: FapiContext): void {
  const { markets, history } = context;
  app.get(
    "/fapi/v1/income",
    signedRoute({
      access: reading(30),
      summary: "Income",
      parameters: parameters.income,
      reply: Type.Array(FapiIncome),
    }),
    async (request) => {
      const { fapi } = request;
      const query = { ...windowOf(fapi, 100, 1000), page: pageOf(fapi) };
      const type = fapi.text("incomeType");
      if (type !== undefined && !isIncomeType(type)) {
        throw invalidParameter("incomeType", { rule: "enum", limit: INCOME_TYPES.join(", ") });
      }
      const market = markets.optional(fapi)?.number;
      const account = accountOf(context, request);
      const lines = account === 0 ? [] : await history.money.income(account, { ...query, type, market });
      return lines.map((line) => incomeView(line, markets));
    },
  );

  app.get(
    "/fapi/v1/userTrades",
    signedRoute({
      access: reading(5),
      summary: "Own trades",
      description: "Of all symbols without one; `fromId` needs one, because ids of trades count within a symbol.",
      parameters: parameters.userTrades,
      reply: Type.Array(FapiUserTrade),
    }),
    async (request) => {
      const { fapi } = request;
      const query = { ...windowOf(fapi, 500, 1000), orderId: idOf(fapi, "orderId") };
      const fromId = idOf(fapi, "fromId");
      const market = fromId === undefined ? markets.optional(fapi) : markets.required(fapi);
      const account = accountOf(context, request);
      const which = market === undefined ? {} : { market: market.number, fromId };
      const fills = account === 0 ? [] : await history.trades.list(account, { ...query, ...which });
      return fills.map((fill) => userTradeView(fill, markets.at(fill.market)));
    },
  );
}

function registerRisk(app: App, context: FapiContext): void {
  const { markets, history, ranks, reader } = context;
  app.get(
    "/fapi/v1/forceOrders",
    signedRoute({
      access: reading(20),
      client: "account.forcedOrders",
      summary: "Orders of liquidations",
      description: "Deleveraged lots change hands without an order and are listed among the trades.",
      parameters: parameters.forceOrders,
      reply: Type.Array(FapiOrder),
    }),
    async (request) => {
      const { fapi } = request;
      const query = windowOf(fapi, 50, 100);
      const kind = fapi.text("autoCloseType");
      if (kind !== undefined && kind !== "LIQUIDATION" && kind !== "ADL") {
        throw invalidParameter("autoCloseType", { rule: "enum", limit: "LIQUIDATION, ADL" });
      }
      const market = markets.optional(fapi)?.number;
      const account = accountOf(context, request);
      if (account === 0 || kind === "ADL") return [];
      const orders = await history.orders.forced(account, { ...query, market });
      return orders.map((order) => orderView(order, markets.at(order.market), true));
    },
  );

  app.get(
    "/fapi/v1/adlQuantile",
    signedRoute({
      access: reading(5),
      client: "account.adlQuantile(symbol?)",
      summary: "Deleveraging rank",
      parameters: parameters.maybeSymbol,
      reply: Type.Array(FapiAdlQuantile),
    }),
    (request) => {
      const market = markets.optional(request.fapi);
      const positions = reader.positions(accountOf(context, request), market);
      return positions
        .filter(({ position, lots }) => position !== NO_POSITION && lots !== 0)
        .map((held) => ({
          symbol: held.market.definition.symbol,
          adlQuantile: { BOTH: ranks.quantileOf(held.market, held.position) },
        }));
    },
  );
}

/** Balances, settings and history of an account. */
export function registerAccountRoutes(app: App, context: FapiContext): void {
  registerBalances(app, context);
  registerConfiguration(app, context);
  registerHistory(app, context);
  registerRisk(app, context);
}
