import { DAY_s } from "../kernel/dates.ts";
import { refuse, StateTable } from "../kernel/state-table.ts";

/**
 * ERN-1: the states of a product and its events. Time and chain are facts; `dueEvent` returns the event that follows from them, and
 * the table the next state.
 */
export type Status = "created" | "subscribing" | "active" | "settled" | "ended" | "cancelled";

/**
 * `start_reached`: the subscription may begin, and the product is on chain with our terms. `end_reached`: it is over. `settled`,
 * `cancelled`: the contract says so. `claims_over`: everyone has claimed, or 180 days have passed.
 */
const EVENTS = ["start_reached", "end_reached", "settled", "cancelled", "claims_over"] as const;
export type ProductEvent = (typeof EVENTS)[number];

const REFUSED = refuse("refused");

export const productStates = new StateTable<Status, ProductEvent, "refused">(EVENTS, {
  created: {
    start_reached: "subscribing",
    end_reached: REFUSED,
    settled: REFUSED,
    cancelled: "cancelled",
    claims_over: REFUSED,
  },
  subscribing: {
    start_reached: REFUSED,
    end_reached: "active",
    settled: REFUSED,
    cancelled: "cancelled",
    claims_over: REFUSED,
  },
  active: {
    start_reached: REFUSED,
    end_reached: REFUSED,
    settled: "settled",
    cancelled: "cancelled",
    claims_over: REFUSED,
  },
  settled: {
    start_reached: REFUSED,
    end_reached: REFUSED,
    settled: REFUSED,
    cancelled: REFUSED,
    claims_over: "ended",
  },
  ended: REFUSED,
  cancelled: REFUSED,
});

/** Operations of people on a product, and the states that allow them. */
export const OPERATIONS = ["prepare", "update_terms", "cancel", "fund"] as const;
export type Operation = (typeof OPERATIONS)[number];

export const allowed: Readonly<Record<Status, Readonly<Record<Operation, boolean>>>> = {
  created: { prepare: false, update_terms: true, cancel: true, fund: true },
  subscribing: { prepare: true, update_terms: false, cancel: true, fund: true },
  active: { prepare: false, update_terms: false, cancel: true, fund: true },
  settled: { prepare: false, update_terms: false, cancel: false, fund: false },
  ended: { prepare: false, update_terms: false, cancel: false, fund: false },
  cancelled: { prepare: false, update_terms: false, cancel: false, fund: false },
};

export const CLAIM_PERIOD_s = 180 * DAY_s;

/** The indexed state of a product on chain. */
export interface ChainFacts {
  readonly status: "open" | "settled" | "cancelled";
  readonly hasOurTerms: boolean;
  /** The sum of all subscriptions ever made. */
  readonly subscribed: bigint;
  /** The principal of open positions. */
  readonly principal: bigint;
  readonly interestOwed: bigint;
  readonly funded: bigint;
}

export interface Facts {
  readonly now_s: number;
  readonly subscribeStart_s: number;
  readonly subscribeEnd_s: number;
  readonly settleTime_s: number;
  /** Undefined while the product is not on chain. */
  readonly chain: ChainFacts | undefined;
}

function isCreatedDue({ now_s, subscribeStart_s, chain }: Facts): boolean {
  return chain?.hasOurTerms === true && now_s >= subscribeStart_s;
}

/** The event that is due for a product in this state; undefined if none is. */
export function dueEvent(status: Status, facts: Facts): ProductEvent | undefined {
  const { now_s, chain } = facts;
  switch (status) {
    case "created":
      if (chain?.status === "cancelled") return "cancelled";
      return isCreatedDue(facts) ? "start_reached" : undefined;
    case "subscribing":
      if (chain?.status === "cancelled") return "cancelled";
      return now_s >= facts.subscribeEnd_s ? "end_reached" : undefined;
    case "active":
      if (chain?.status === "open" || chain === undefined) return undefined;
      return chain.status;
    case "settled": {
      const isOver = chain?.principal === 0n || now_s >= facts.settleTime_s + CLAIM_PERIOD_s;
      return isOver ? "claims_over" : undefined;
    }
    case "ended":
    case "cancelled":
      return undefined;
  }
}

/** The states that the product passes through because of all due events, in order; the last one is the current state. */
export function pathFrom(status: Status, facts: Facts): Status[] {
  const path: Status[] = [];
  let current = status;
  for (let event = dueEvent(current, facts); event !== undefined; event = dueEvent(current, facts)) {
    current = productStates.next(current, event);
    path.push(current);
  }
  return path;
}

/** The state that follows from the facts alone, used after blocks were reverted. */
export const statusOf = (facts: Facts): Status => pathFrom("created", facts).at(-1) ?? "created";

/** The settlement time has passed, but the product's own funding does not cover its debts. */
export function isSettlementDelayed(status: Status, { now_s, settleTime_s, chain }: Facts): boolean {
  if (status !== "active" || chain === undefined || now_s < settleTime_s) return false;
  return chain.subscribed > 0n && chain.funded < chain.interestOwed;
}

/** The action on chain that the product needs to continue. */
export function dueOnChain(status: Status, { now_s, settleTime_s, chain }: Facts): "cancel" | "settle" | undefined {
  if (status !== "active" || chain?.status !== "open") return undefined;
  if (chain.subscribed === 0n) return "cancel";
  return now_s >= settleTime_s && chain.funded >= chain.interestOwed ? "settle" : undefined;
}

export const isInWindow = ({ now_s, subscribeStart_s, subscribeEnd_s }: Facts): boolean =>
  now_s >= subscribeStart_s && now_s < subscribeEnd_s;
