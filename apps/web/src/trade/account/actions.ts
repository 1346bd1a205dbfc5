import { type AccountOrderRequest, RequestRefused, ServerUnreachable } from "@bourse/api/client";
import { toast, toastError } from "../../kit/toast.tsx";
import { api } from "../../session/session.ts";
import { privateFeed } from "../../streams/private-feed.ts";
import { outcomeWords, placedWords } from "../ticket/action-words.ts";
import { newClientOrderId, type Outcome, place } from "../ticket/place.ts";
import { baseOf } from "./fills.ts";
import type { OpenOrder, WaitingOrder } from "./orders-model.ts";
import { typeWords } from "./words.ts";

const wait = (pause_ms: number) => new Promise<void>((resolve) => setTimeout(resolve, pause_ms));
const UNKNOWN_ORDER = -2011;

/** Sends an order of a panel and shows its outcome. Refusals are thrown to the caller. */
export async function placeFromPanel(request: Omit<AccountOrderRequest, "client_order_id">): Promise<Outcome> {
  const order = { path: "account", request: { ...request, client_order_id: newClientOrderId() } } as const;
  const outcome = await place(order, { orders: api.orders, wait });
  const isFeedLive = privateFeed.state.get().kind === "live";
  const said = outcome.kind === "placed" ? placedWords(outcome.order, isFeedLive) : outcomeWords(outcome);
  if (said !== undefined) toast(said.tone, said.title, said.detail);
  return outcome;
}

/** Whether the order is no longer open, also where it was filled or cancelled a moment before. */
export async function cancelOrder(order: OpenOrder | WaitingOrder): Promise<boolean> {
  try {
    await api.orders.cancel(order.id);
    toast("neutral", `${typeWords(order.type)} ${baseOf(order.symbol)} cancelled`);
    return true;
  } catch (error) {
    if (error instanceof RequestRefused && error.exchangeCode === UNKNOWN_ORDER) {
      toast("neutral", "The order is no longer open", "It was filled, triggered or cancelled a moment ago.");
      return true;
    }
    toastError(error);
    return false;
  }
}

/** FUT-7: the order keeps its id and goes to the back of its queue. */
export async function modifyOrder(order: OpenOrder, price: string, quantity: string): Promise<boolean> {
  try {
    await api.orders.modify({ symbol: order.symbol, orderId: order.id, side: order.side, price, quantity });
    return true;
  } catch (error) {
    if (error instanceof ServerUnreachable) {
      toast(
        "warn",
        "It is not known whether the order was changed",
        "The exchange does not answer. The list shows the order once it does.",
      );
    } else toastError(error);
    return false;
  }
}

/** The same order with another trigger, as a request. It no longer belongs to a parent order. */
export function triggerRequest(order: WaitingOrder, stop_price: string): Omit<AccountOrderRequest, "client_order_id"> {
  const { symbol, side, type, price, quantity, working_type, close_position, reduce_only, time_in_force } = order;
  return {
    symbol,
    side,
    type,
    stop_price,
    working_type,
    ...(price === undefined ? {} : { price, time_in_force }),
    ...(close_position ? { close_position: true } : { ...(quantity === undefined ? {} : { quantity }) }),
    ...(reduce_only && !close_position ? { reduce_only: true } : {}),
  };
}

/**
 * Conditional orders cannot be modified: the new one is placed before the old one goes, so that nothing is left open in
 * between. Returns the new one; undefined where the old one is unchanged.
 */
export async function replaceTrigger(order: WaitingOrder, stop_price: string): Promise<WaitingOrder | undefined> {
  try {
    const request = { ...triggerRequest(order, stop_price), client_order_id: newClientOrderId() };
    const outcome = await place({ path: "account", request }, { orders: api.orders, wait });
    if (outcome.kind !== "placed" && outcome.kind !== "found") {
      const said = outcomeWords(outcome);
      toast(said.tone, said.title, said.detail);
      return undefined;
    }
    await api.orders.cancel(order.id);
    const id = outcome.kind === "placed" ? outcome.order.id : outcome.id;
    return { ...order, id, stop_price, parent_id: undefined };
  } catch (error) {
    toastError(error);
    return undefined;
  }
}
