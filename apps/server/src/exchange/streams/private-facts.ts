import { BONUS_LINES, type BonusState, type TIER_CHANGES } from "@bourse/engine";
import type { ConditionalFact, OrderFact, ShownConditionalFact, ShownOrderFact } from "../orders/order-facts.ts";

/**
 * What has happened to an account, in the engine's units. Private events are stored as bytes for a day and rendered
 * only on request, because most are never read.
 */
export type PrivateFact = OrderFact | ConditionalFact | BalanceFact | PositionFact | TierFact | BonusFact | AdlFact;

/** The private channels of FUT-19. */
export const PRIVATE_CHANNELS = ["balances", "orders", "positions", "vip_tier", "bonus", "adl"] as const;
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number];

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

/** BON-9: a warning is neither a bonus line nor an event of the engine. */
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

/** FUT-23. */
export const ADL_REASONS = ["fund_full", "fund_capped", "fund_old", "bankrupt"] as const;

export interface AdlFact {
  readonly channel: "adl";
  readonly kind: "adl";
  readonly market: number;
  readonly side: number;
  readonly lots: number;
  readonly ticks: number;
  readonly markTicks: number;
  readonly indexTicks: number;
  readonly reason: (typeof ADL_REASONS)[number];
  readonly time_ms: number;
}

export interface AccountBonusFact {
  readonly account: number;
  readonly fact: BonusFact;
}

/** The part that the platform's own protocol shows, and that is therefore stored. */
export type ShownFact =
  | ShownOrderFact
  | ShownConditionalFact
  | BalanceFact
  | PositionFact
  | TierFact
  | BonusFact
  | AdlFact;
