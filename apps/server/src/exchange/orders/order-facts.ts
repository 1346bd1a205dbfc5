import type { EventOf } from "@bourse/engine";
import type { ConditionalOrder, Order, Trigger } from "./order.ts";

/** What has happened to an order, in the words of an execution. */
export const EXECUTIONS = ["NEW", "TRADE", "CANCELED", "EXPIRED", "AMENDMENT", "CALCULATED"] as const;
export type Execution = (typeof EXECUTIONS)[number];

/** An order as it stood after an event. */
export interface OrderFact {
  readonly channel: "orders";
  readonly kind: "order";
  readonly order: Order;
  readonly execution: Execution;
  readonly fill: EventOf<"fill"> | undefined;
  readonly time_ms: number;
}

/** A conditional order as it stood after an event. */
export interface ConditionalFact {
  readonly channel: "orders";
  readonly kind: "conditional";
  readonly order: ConditionalOrder;
  readonly time_ms: number;
}

type NotShown = "account" | "selfTradePrevention" | "cause" | "updated_ms" | "trigger";

/** As much of an order as the platform's own protocol shows, and as is therefore kept. */
export type ShownOrder = Omit<Order, NotShown | "parent" | "conditional"> & {
  readonly trigger: Pick<Trigger, "type"> | null;
};

export type ShownFill = Pick<
  EventOf<"fill">,
  "trade" | "ticks" | "lots" | "fee_micros" | "realised_micros" | "isMaker" | "cause"
>;

export type ShownConditional = Omit<
  ConditionalOrder,
  NotShown | "executedLots" | "quote_micros" | "keepsId" | "produced"
> & {
  readonly trigger: Omit<Trigger, "isPriceProtected" | "triggered_ms">;
};

export type ShownOrderFact = Omit<OrderFact, "order" | "fill"> & {
  readonly order: ShownOrder;
  readonly fill: ShownFill | undefined;
};
export type ShownConditionalFact = Omit<ConditionalFact, "order"> & { readonly order: ShownConditional };
