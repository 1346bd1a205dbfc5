import { FapiAlgoCanceled, FapiAlgoOrder, orderParameters as parameters } from "@bourse/api";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal, invalidParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { clientIdOf } from "../orders/client-ids.ts";
import { algoView } from "../orders/fapi-views.ts";
import type { ConditionalOrder, OrderName } from "../orders/order.ts";
import { cancelling, placing, reading } from "./access.ts";
import { registerCancelOfSymbol } from "./cancel-of-symbol.ts";
import {
  accountOf,
  addressOf,
  type FapiContext,
  idOf,
  operation,
  pageOf,
  signedRoute,
  tradingAccount,
  windowOf,
} from "./context.ts";
import { algoName } from "./order-names.ts";
import { readAlgoOrder } from "./order-request.ts";
import { isReducing } from "./reducing.ts";

/** One conditional order: placing and cancelling. */
export function algoOperations(context: FapiContext) {
  const { counts, orders, markets } = context;
  return {
    place: operation(
      signedRoute({
        access: placing(1),
        client: "orders.placeAlgo",
        summary: "New conditional order",
        parameters: parameters.algoNew,
        reply: FapiAlgoOrder,
      }),
      async (call, reply) => {
        await counts.take(call, reply, addressOf(call), 1, isReducing(call.fapi));
        const { market, command, isExempt } = readAlgoOrder(call.fapi, markets);
        const account = tradingAccount(context, call, command);
        return algoView(await orders.placeAlgo(account, command, isExempt), market);
      },
    ),

    cancel: operation(
      signedRoute({
        access: cancelling(1),
        client: "orders.cancelAlgo",
        summary: "Cancel a conditional order",
        parameters: parameters.algoOne,
        reply: FapiAlgoCanceled,
      }),
      async (call, reply) => {
        await counts.show(reply, addressOf(call));
        const name = algoName(call.fapi);
        const account = accountOf(context, call);
        if (account === 0) throw fapiRefusal("CANCEL_REJECTED");
        const { id, clientId } = await orders.cancelAlgo(account, name);
        return { algoId: id, clientAlgoId: clientIdOf(id, clientId), code: "200" as const, msg: "success" as const };
      },
    ),
  };
}

function registerSingle(app: App, context: FapiContext): void {
  const { markets, memory, history } = context;
  const { place, cancel } = algoOperations(context);

  async function find(account: number, name: OrderName): Promise<ConditionalOrder | undefined> {
    const waiting = memory.findConditional(account, name);
    if (waiting !== undefined) return waiting.keepsId ? undefined : waiting;
    return history.algos.find(account, name);
  }

  app.post("/fapi/v1/algoOrder", place.route, place.handle);
  app.delete("/fapi/v1/algoOrder", cancel.route, cancel.handle);
  app.get(
    "/fapi/v1/algoOrder",
    signedRoute({
      access: reading(1),
      client: "orders.findAlgo",
      summary: "One conditional order",
      parameters: parameters.algoOne,
      reply: FapiAlgoOrder,
    }),
    async (request) => {
      const name = algoName(request.fapi);
      const account = accountOf(context, request);
      const algo = account === 0 ? undefined : await find(account, name);
      if (algo === undefined) throw fapiRefusal("NO_SUCH_ORDER");
      return algoView(algo, markets.at(algo.market), true);
    },
  );
}

function checkAlgoType(fapi: FapiParameters): void {
  const type = fapi.text("algoType");
  if (type !== undefined && type !== "CONDITIONAL")
    throw invalidParameter("algoType", { rule: "enum", limit: "CONDITIONAL" });
}

/** Conditional orders with their own ids; those placed through the order routes are listed among the orders. */
export function registerAlgoRoutes(app: App, context: FapiContext): void {
  registerSingle(app, context);
  const { orders, markets, memory, history } = context;

  app.get(
    "/fapi/v1/openAlgoOrders",
    signedRoute({
      access: reading(1),
      client: "orders.openAlgos",
      summary: "Waiting conditional orders",
      parameters: parameters.algoOpen,
      reply: Type.Array(FapiAlgoOrder),
    }),
    (request) => {
      const { fapi } = request;
      checkAlgoType(fapi);
      const only = idOf(fapi, "algoId");
      const market = markets.optional(fapi);
      const account = accountOf(context, request);
      const waiting = account === 0 ? [] : memory.algoOrders(account, market?.number);
      const wanted = only === undefined ? waiting : waiting.filter(({ id }) => id === only);
      return wanted.map((algo) => algoView(algo, markets.at(algo.market), true));
    },
  );

  app.get(
    "/fapi/v1/allAlgoOrders",
    signedRoute({
      access: reading(5),
      client: "orders.allAlgos",
      summary: "Conditional orders, waiting and ended",
      description: "At most seven days at a time.",
      parameters: parameters.algoAll,
      reply: Type.Array(FapiAlgoOrder),
    }),
    async (request) => {
      const { fapi } = request;
      const symbol = fapi.requiredText("symbol");
      const query = { ...windowOf(fapi, 500, 1000), algoId: idOf(fapi, "algoId"), page: pageOf(fapi) };
      const market = markets.named(symbol);
      const account = accountOf(context, request);
      const found = account === 0 ? [] : await history.algos.list(account, { ...query, market: market.number });
      return found.map((algo) => algoView(algo, market, true));
    },
  );

  registerCancelOfSymbol(app, context, {
    path: "/fapi/v1/algoOpenOrders",
    client: "orders.cancelAllAlgos(symbol)",
    summary: "Cancel all conditional orders of a symbol",
    cancel: (account, market) => orders.cancelAllAlgo(account, market),
  });
}
