import type { Hex } from "viem";
import type { Person } from "./ground/person.ts";

/** The outcome of a request, as far as its sender knows. */
export type Knowledge = "unknown" | "acknowledged" | "refused" | "never";

export interface OrderNote {
  readonly person: Person;
  readonly symbol: string;
  readonly clientId: string;
  readonly sent_ms: number;
  knowledge: Knowledge;
  orderId: number | undefined;
}

export interface DepositNote {
  readonly person: Person;
  readonly amount: bigint;
  readonly hash: Hex;
}

export interface WithdrawalNote {
  readonly person: Person;
  readonly requestId: string;
  readonly amount: bigint;
  knowledge: Knowledge;
  id: string | undefined;
}

/** A request to the bonus administration, which has a request id and can be repeated. */
export interface BonusNote {
  readonly endpoint: string;
  readonly body: Readonly<Record<string, unknown>>;
  answer: Readonly<Record<string, unknown>> | undefined;
  isRefused: boolean;
}

export interface RedemptionNote {
  readonly person: Person;
  readonly code: string;
  knowledge: Knowledge;
}

export interface SubscriptionNote {
  readonly person: Person;
  readonly productId: string;
  readonly chainProductId: bigint;
  readonly amount: bigint;
  readonly hash: Hex;
}

/** Terms under which a customer or partner trades, from a moment on. */
export interface TermsNote {
  readonly downline: Person;
  readonly owner: Person;
  /** Millionths. */
  readonly nominal_e6: bigint;
  readonly customer_e6: bigint;
  readonly share_e6: bigint;
  readonly parent: Person | undefined;
  readonly from_ms: number;
}

export interface BatchNote {
  readonly id: string;
  status: string;
}

/** Everything that clients received or did. The auditor knows nothing else. */
export class Notes {
  readonly orders = new Map<string, OrderNote>();
  readonly deposits: DepositNote[] = [];
  readonly withdrawals = new Map<string, WithdrawalNote>();
  readonly bonus: BonusNote[] = [];
  readonly redemptions: RedemptionNote[] = [];
  readonly subscriptions: SubscriptionNote[] = [];
  readonly terms: TermsNote[] = [];
  readonly batches = new Map<string, BatchNote>();
  /** By day: its settlement before anybody repeated it. */
  readonly settledDays = new Map<string, string>();
  readonly actions = new Map<string, number>();

  count(action: string): void {
    this.actions.set(action, (this.actions.get(action) ?? 0) + 1);
  }

  get total(): number {
    return [...this.actions.values()].reduce((sum, times) => sum + times, 0);
  }
}
