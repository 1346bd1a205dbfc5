import { FapiAmendment, FapiCountdown, FapiOrder, orderParameters as parameters } from "@bourse/api";
import { Type } from "typebox";
import { DAY_ms } from "../../kernel/dates.ts";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal, invalidParameter } from "../../kernel/http/error-replies.ts";
import { priceText, quantityText } from "../../kernel/units.ts";
import { clientIdOf } from "../orders/client-ids.ts";
import { orderView } from "../orders/fapi-views.ts";
import { reading, trading } from "./access.ts";
import { registerCancelOfSymbol } from "./cancel-of-symbol.ts";
import { accountOf, addressOf, type FapiContext, idOf, signedRoute, tradingAccount, windowOf } from "./context.ts";
import { orderName } from "./order-names.ts";
import { orderOperations } from "./order-operations.ts";
import { readOrder } from "./order-request.ts";
import { refusalOf } from "./refusals.ts";

function registerTest(app: App, context: FapiContext): void {
  const { markets, exchange } = context;
  app.post(
    "/fapi/v1/order/test",
    signedRoute({
      access: trading(1),
      client: "orders.testFapi",
      summary: "Check an order without placing it",
      parameters: parameters.new,
      reply: Type.Object({}),
    }),
    (request) => {
      const { market, command, isExempt } = readOrder(request.fapi, markets);
      if (!isExempt && exchange.waiting >= context.maxCommandsWaiting) throw fapiRefusal("THROTTLED");
      const account = tradingAccount(context, request, command);
      const refusal = exchange.engine.checkOrder({ ...command, account, time_ms: context.clock.now() });
      if (refusal !== undefined) throw refusalOf(refusal, market.definition);
      return {};
    },
  );
}

function registerLists(app: App, context: FapiContext): void {
  const { orders, markets, history } = context;

  app.get(
    "/fapi/v1/openOrder",
    signedRoute({ access: reading(1), summary: "One open order", parameters: parameters.one, reply: FapiOrder }),
    (request) => {
      const symbol = request.fapi.requiredText("symbol");
      const name = orderName(request.fapi);
      const market = markets.named(symbol);
      const account = accountOf(context, request);
      const order = account === 0 ? undefined : orders.findOpen(account, market.number, name);
      if (order === undefined) throw fapiRefusal("NO_SUCH_ORDER");
      return orderView(order, market, true);
    },
  );

  app.get(
    "/fapi/v1/openOrders",
    signedRoute({
      access: reading(1),
      summary: "Open orders",
      parameters: parameters.open,
      reply: Type.Array(FapiOrder),
    }),
    (request) => {
      const market = markets.optional(request.fapi);
      const account = accountOf(context, request);
      const open = account === 0 ? [] : orders.open(account, market?.number);
      return open.map((order) => orderView(order, markets.at(order.market), true));
    },
  );

  app.get(
    "/fapi/v1/allOrders",
    signedRoute({
      access: reading(5),
      summary: "Orders, open and closed",
      description: "Of all symbols without one.",
      parameters: parameters.all,
      reply: Type.Array(FapiOrder),
    }),
    async (request) => {
      const { fapi } = request;
      const query = { ...windowOf(fapi, 500, 1000), orderId: idOf(fapi, "orderId") };
      const market = markets.optional(fapi)?.number;
      const account = accountOf(context, request);
      const found = account === 0 ? [] : await history.orders.list(account, { ...query, market });
      return found.map((order) => orderView(order, markets.at(order.market), true));
    },
  );
}

function registerAmendments(app: App, context: FapiContext): void {
  const { markets, history } = context;
  app.get(
    "/fapi/v1/orderAmendment",
    signedRoute({
      access: reading(1),
      client: "orders.amendments",
      summary: "Modifications of an order",
      parameters: parameters.amendments,
      reply: Type.Array(FapiAmendment),
    }),
    async (request) => {
      const { fapi } = request;
      const symbol = fapi.requiredText("symbol");
      const name = orderName(fapi);
      const window = windowOf(fapi, 50, 100);
      const market = markets.named(symbol);
      const { definition } = market;
      const account = accountOf(context, request);
      if (account === 0) return [];
      const which = "id" in name ? { orderId: name.id } : { clientId: name.clientId };
      const amendments = await history.orders.amendments(account, { ...window, market: market.number, ...which });
      return amendments.map((amendment, place) => ({
        amendmentId: amendment.amendment,
        symbol: definition.symbol,
        pair: definition.symbol,
        orderId: amendment.order,
        clientOrderId: clientIdOf(amendment.order, amendment.clientId),
        time: amendment.time_ms,
        amendment: {
          price: {
            before: priceText(definition, amendment.ticksBefore),
            after: priceText(definition, amendment.ticksAfter),
          },
          origQty: {
            before: quantityText(definition, amendment.lotsBefore),
            after: quantityText(definition, amendment.lotsAfter),
          },
          count: place + 1,
        },
      }));
    },
  );
}

const MAX_COUNTDOWN_ms = DAY_ms;

function registerCancelAll(app: App, context: FapiContext): void {
  const { orders, markets, countdowns } = context;

  registerCancelOfSymbol(app, context, {
    path: "/fapi/v1/allOpenOrders",
    client: "orders.cancelAll(symbol)",
    summary: "Cancel all open orders of a symbol",
    cancel: (account, market) => orders.cancelAll(account, market),
  });

  app.post(
    "/fapi/v1/countdownCancelAll",
    signedRoute({
      access: trading(10),
      client: "orders.cancelAllAfter(symbol, countdownTime)",
      summary: "Cancel all open orders of a symbol unless called again in time",
      parameters: parameters.countdown,
      reply: FapiCountdown,
    }),
    (request) => {
      const symbol = request.fapi.requiredText("symbol");
      const countdown_ms = request.fapi.requiredInteger("countdownTime");
      if (countdown_ms < 0 || countdown_ms > MAX_COUNTDOWN_ms) {
        throw invalidParameter("countdownTime", { rule: "range", limit: MAX_COUNTDOWN_ms, actual: countdown_ms });
      }
      const market = markets.named(symbol);
      countdowns.set(addressOf(request), market.number, countdown_ms);
      return { symbol: market.definition.symbol, countdownTime: String(countdown_ms) };
    },
  );
}

/** Placing, modifying, cancelling and reading orders. */
export function registerOrderRoutes(app: App, context: FapiContext): void {
  const { place, modify, cancel, find } = orderOperations(context);
  app.post("/fapi/v1/order", place.route, place.handle);
  app.put("/fapi/v1/order", modify.route, modify.handle);
  app.delete("/fapi/v1/order", cancel.route, cancel.handle);
  app.get("/fapi/v1/order", find.route, find.handle);
  registerTest(app, context);
  registerLists(app, context);
  registerAmendments(app, context);
  registerCancelAll(app, context);
}
