import { FapiOrder, orderParameters as parameters } from "@bourse/api";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { orderView } from "../orders/fapi-views.ts";
import type { OrderName } from "../orders/order.ts";
import { cancelling, placing, reading, trading } from "./access.ts";
import {
  accountOf,
  addressOf,
  type FapiCall,
  type FapiContext,
  operation,
  signedRoute,
  tradingAccount,
} from "./context.ts";
import type { MarketState } from "./markets.ts";
import { readModification } from "./modify-request.ts";
import { orderName } from "./order-names.ts";
import { readOrder } from "./order-request.ts";
import { isReducing } from "./reducing.ts";

export async function place(context: FapiContext, call: FapiCall, asked: FapiParameters): Promise<FapiOrder> {
  const { market, command, isExempt } = readOrder(asked, context.markets);
  const account = tradingAccount(context, call, command);
  return orderView(await context.orders.place(account, command, isExempt), market);
}

export async function modify(context: FapiContext, call: FapiCall, asked: FapiParameters): Promise<FapiOrder> {
  const change = readModification(asked, context.markets);
  const name = orderName(asked);
  const account = accountOf(context, call);
  if (account === 0) throw fapiRefusal("NO_SUCH_ORDER");
  return orderView(await context.orders.modify(account, name, change), change.market);
}

export async function cancel(
  context: FapiContext,
  account: number,
  market: MarketState,
  name: OrderName,
): Promise<FapiOrder> {
  if (account === 0) throw fapiRefusal("CANCEL_REJECTED");
  return orderView(await context.orders.cancel(account, market.number, name), market);
}

/** One order: placing, modifying, cancelling, reading. */
export function orderOperations(context: FapiContext) {
  const { counts, orders, markets } = context;
  return {
    place: operation(
      signedRoute({
        access: placing(1),
        client: "orders.placeFapi",
        summary: "New order",
        description: "Answers after matching, with the order's final status, whatever newOrderRespType says.",
        parameters: parameters.new,
        reply: FapiOrder,
      }),
      async (call, reply) => {
        await counts.take(call, reply, addressOf(call), 1, isReducing(call.fapi));
        return place(context, call, call.fapi);
      },
    ),

    modify: operation(
      signedRoute({
        access: trading(1),
        client: "orders.modify",
        summary: "Modify an order",
        description: "LIMIT orders. The order keeps its id and goes to the back of its queue.",
        parameters: parameters.modify,
        reply: FapiOrder,
      }),
      async (call, reply) => {
        await counts.take(call, reply, addressOf(call), 1, false);
        return modify(context, call, call.fapi);
      },
    ),

    cancel: operation(
      signedRoute({
        access: cancelling(1),
        client: "orders.cancelFapi",
        summary: "Cancel an order",
        parameters: parameters.one,
        reply: FapiOrder,
      }),
      async (call, reply) => {
        await counts.show(reply, addressOf(call));
        const symbol = call.fapi.requiredText("symbol");
        const name = orderName(call.fapi);
        return cancel(context, accountOf(context, call), markets.named(symbol), name);
      },
    ),

    find: operation(
      signedRoute({
        access: reading(1),
        client: "orders.find",
        summary: "One order",
        parameters: parameters.one,
        reply: FapiOrder,
      }),
      async (call) => {
        const symbol = call.fapi.requiredText("symbol");
        const name = orderName(call.fapi);
        const market = markets.named(symbol);
        const account = accountOf(context, call);
        const order = account === 0 ? undefined : await orders.find(account, market.number, name);
        if (order === undefined) throw fapiRefusal("NO_SUCH_ORDER");
        return orderView(order, market, true);
      },
    ),
  };
}
