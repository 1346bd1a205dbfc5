import { BONUS_LINES, type BonusState, type EventOf, type Reason, type TIER_CHANGES } from "@bourse/engine";
import type { TrackedConditional, TrackedOrder } from "../market-data/tracked-orders.ts";

/**
 * What has happened to an account, in the engine's units. Facts are kept for a day as bytes and put into words only when
 * somebody asks, since most of them nobody ever asks for.
 */
export type PrivateFact = OrderFact | ConditionalFact | BalanceFact | PositionFact | TierFact | BonusFact;

/** The private channels of FUT-19. */
export const PRIVATE_CHANNELS = ["balances", "orders", "positions", "vip_tier", "bonus"] as const;
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number];

export const EXECUTIONS = ["NEW", "TRADE", "CANCELED", "EXPIRED", "AMENDMENT", "CALCULATED"] as const;
export type Execution = (typeof EXECUTIONS)[number];
export const ORDER_STATUSES = [
  "NEW",
  "PARTIALLY_FILLED",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "EXPIRED_IN_MATCH",
  "REJECTED",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** An order as it stood after an event; of `order` only what never changes is to be read. */
export interface OrderFact {
  readonly channel: "orders";
  readonly kind: "order";
  readonly order: Readonly<TrackedOrder>;
  readonly ticks: number;
  readonly lots: number;
  readonly executedLots: number;
  readonly quote_micros: number;
  readonly execution: Execution;
  readonly status: OrderStatus;
  readonly reason: Reason;
  readonly fill: EventOf<"fill"> | undefined;
  readonly time_ms: number;
}

export const CONDITIONAL_STATUSES = [
  "NEW",
  "TRIGGERING",
  "TRIGGERED",
  "FINISHED",
  "CANCELED",
  "EXPIRED",
  "REJECTED",
] as const;
export type ConditionalStatus = (typeof CONDITIONAL_STATUSES)[number];

export interface ConditionalFact {
  readonly channel: "orders";
  readonly kind: "conditional";
  readonly conditional: Readonly<TrackedConditional>;
  readonly status: ConditionalStatus;
  readonly reason: Reason;
  /** The order it has produced, as it stood then. */
  readonly produced: OrderFact | undefined;
  readonly time_ms: number;
}

export interface BalanceFact {
  readonly channel: "balances";
  readonly kind: "balance";
  readonly principal_micros: number;
  readonly bonus_micros: number;
  readonly isolated_micros: number;
  readonly inFlight_micros: number;
  readonly balance_micros: number;
  readonly unrealised_micros: number;
  readonly initial_micros: number;
  readonly maintenance_micros: number;
  readonly available_micros: number;
  readonly withdrawable_micros: number;
  readonly time_ms: number;
}

export interface PositionFact {
  readonly channel: "positions";
  readonly kind: "position";
  readonly market: number;
  readonly lots: number;
  readonly cost_micros: number;
  readonly markTicks: number;
  readonly leverage: number;
  readonly isIsolated: boolean;
  readonly isolated_micros: number;
  readonly time_ms: number;
}

export interface TierFact {
  readonly channel: "vip_tier";
  readonly kind: "tier";
  readonly change: (typeof TIER_CHANGES)[number];
  readonly tier: number;
  readonly previousTier: number;
  readonly volume14d_micros: number;
  readonly time_ms: number;
}

/** BON-9: a warning is no line of the ledger, and no event of the engine. */
export const BONUS_FACTS = [...BONUS_LINES, "WARNING"] as const;

export interface BonusFact {
  readonly channel: "bonus";
  readonly kind: "bonus";
  readonly line: (typeof BONUS_FACTS)[number] | undefined;
  readonly amount_micros: number;
  readonly state: BonusState;
  readonly bonus_micros: number;
  readonly locked_micros: number;
  readonly consumed_micros: number;
  readonly expires_ms: number;
  readonly time_ms: number;
}

export interface AccountBonusFact {
  readonly account: number;
  readonly fact: BonusFact;
}

/** Of an order what never changes and is shown. */
export type ShownOrder = Pick<
  TrackedOrder,
  "id" | "market" | "side" | "type" | "timeInForce" | "isReduceOnly" | "clientId" | "created_ms"
> & { readonly conditional: Pick<TrackedConditional, "type" | "ticks"> | undefined };

export type ShownFill = Pick<
  EventOf<"fill">,
  "trade" | "ticks" | "lots" | "fee_micros" | "realised_micros" | "isMaker" | "cause"
>;

export type ShownConditional = Omit<
  TrackedConditional,
  "account" | "isPriceProtected" | "keepsId" | "selfTradePrevention" | "triggered_ms"
>;

export type ShownOrderFact = Omit<OrderFact, "order" | "fill"> & {
  readonly order: ShownOrder;
  readonly fill: ShownFill | undefined;
};
export type ShownConditionalFact = Omit<ConditionalFact, "conditional" | "produced"> & {
  readonly conditional: ShownConditional;
};

/** As much of a fact as the platform's own protocol shows, and as is therefore kept. */
export type ShownFact = ShownOrderFact | ShownConditionalFact | BalanceFact | PositionFact | TierFact | BonusFact;
