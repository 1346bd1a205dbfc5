import { type Client, type PlacedOrder, RequestRefused, ServerUnreachable } from "@bourse/api/client";
import type { OrderToSend } from "./request.ts";

const ID_BYTES = 9;
const OUTCOME_UNKNOWN = -1006;
const TIMEOUT = -1007;
const NO_SUCH_ORDER = -2013;

/** 72 random bits, in the characters that client order ids may have. */
export function newClientOrderId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return `web-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What is known of an order that was sent. */
export type Outcome =
  | { readonly kind: "placed"; readonly order: PlacedOrder }
  /** A conditional order of the bots' path waits. */
  | { readonly kind: "waiting"; readonly id: number }
  /** The reply was lost; asked by its client id, the exchange has it. */
  | { readonly kind: "found"; readonly id: number; readonly status: string; readonly executed: string }
  /** The reply was lost, and the exchange does not have it. */
  | { readonly kind: "not_placed" }
  /** The exchange does not answer: the outcome is not known. */
  | { readonly kind: "unknown" };

type Orders = Pick<Client["orders"], "place" | "placeAlgo" | "find" | "findAlgo">;

export interface PlaceOptions {
  readonly orders: Orders;
  readonly wait: (pause_ms: number) => Promise<void>;
  /** Called when the reply was lost and the order is being looked for. */
  readonly onDoubt?: () => void;
}

/**
 * A request whose reply was lost may still arrive. The exchange is asked after these pauses; "no such order" counts
 * only after DENIALS_NEEDED replies.
 */
const PAUSES_MS: readonly number[] = [300, 700, 1_500, 3_000, 5_000, 8_000];
const DENIALS_NEEDED = 3;

/** Whether the order may have been carried out although no reply says so. */
function isInDoubt(error: unknown): boolean {
  if (error instanceof ServerUnreachable) return true;
  if (!(error instanceof RequestRefused)) return false;
  return error.status >= 500
    ? error.exchangeCode === OUTCOME_UNKNOWN || error.exchangeCode === undefined
    : error.exchangeCode === TIMEOUT;
}

/** Sends an order once. It is never sent again: after a lost reply the exchange is asked by the order's client id. */
export async function place(order: OrderToSend, { orders, wait, onDoubt }: PlaceOptions): Promise<Outcome> {
  try {
    if (order.path === "account") return { kind: "placed", order: await orders.place(order.request) };
    return { kind: "waiting", id: (await orders.placeAlgo(order.request)).algoId };
  } catch (error) {
    if (!isInDoubt(error)) throw error;
  }
  onDoubt?.();
  let denials = 0;
  for (const pause_ms of PAUSES_MS) {
    await wait(pause_ms);
    const found = await lookUp(order, orders);
    if (found === "no_such_order") denials += 1;
    else if (found !== "no_answer") return found;
    if (denials === DENIALS_NEEDED) return { kind: "not_placed" };
  }
  return { kind: "unknown" };
}

async function lookUp(order: OrderToSend, orders: Orders): Promise<Outcome | "no_such_order" | "no_answer"> {
  try {
    if (order.path === "algo") {
      const { algoId, algoStatus } = await orders.findAlgo({ clientAlgoId: order.request.clientAlgoId });
      return { kind: "found", id: algoId, status: algoStatus, executed: "0" };
    }
    const { symbol, client_order_id } = order.request;
    const { orderId, status, executedQty } = await orders.find({ symbol, origClientOrderId: client_order_id });
    return { kind: "found", id: orderId, status, executed: executedQty };
  } catch (error) {
    if (error instanceof RequestRefused) {
      if (error.exchangeCode === NO_SUCH_ORDER) return "no_such_order";
      if (error.status < 500 && error.status !== 408 && error.status !== 429) throw error;
      return "no_answer";
    }
    if (error instanceof ServerUnreachable) return "no_answer";
    throw error;
  }
}
