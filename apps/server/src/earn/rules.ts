/**
 * ERN-1: where a product is, and what can happen to it. Times and what the chain says are facts; `dueEvent` tells which
 * event follows from them, and the table what becomes of the product.
 */
export const STATUSES = ["created", "subscribing", "active", "settled", "ended", "cancelled"] as const;
export type Status = (typeof STATUSES)[number];

/**
 * `start_reached`: the subscription may begin, and the product is on chain with our terms. `end_reached`: it is over.
 * `settled`, `cancelled`: the contract says so. `claims_over`: everyone has claimed, or 180 days have passed.
 */
export const EVENTS = ["start_reached", "end_reached", "settled", "cancelled", "claims_over"] as const;
export type ProductEvent = (typeof EVENTS)[number];

/** The next state, or that the move is refused. */
export const transitions: Readonly<Record<Status, Readonly<Record<ProductEvent, Status | "refused">>>> = {
  created: {
    start_reached: "subscribing",
    end_reached: "refused",
    settled: "refused",
    cancelled: "cancelled",
    claims_over: "refused",
  },
  subscribing: {
    start_reached: "refused",
    end_reached: "active",
    settled: "refused",
    cancelled: "cancelled",
    claims_over: "refused",
  },
  active: {
    start_reached: "refused",
    end_reached: "refused",
    settled: "settled",
    cancelled: "cancelled",
    claims_over: "refused",
  },
  settled: {
    start_reached: "refused",
    end_reached: "refused",
    settled: "refused",
    cancelled: "refused",
    claims_over: "ended",
  },
  ended: {
    start_reached: "refused",
    end_reached: "refused",
    settled: "refused",
    cancelled: "refused",
    claims_over: "refused",
  },
  cancelled: {
    start_reached: "refused",
    end_reached: "refused",
    settled: "refused",
    cancelled: "refused",
    claims_over: "refused",
  },
};

/** What people ask of a product, and in which states it may be done. */
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

export const CLAIM_PERIOD_s = 180 * 86_400;

/** What the indexer has seen of a product on the chain. */
export interface ChainFacts {
  readonly status: "open" | "settled" | "cancelled";
  readonly hasOurTerms: boolean;
  /** Everything that was ever subscribed. */
  readonly subscribed: bigint;
  /** What positions still hold. */
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

/** The event that has happened to a product in this state by now; undefined where none has. */
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

/** Everything that has happened since, in its order: the states that the product passes, the last one last. */
export function pathFrom(status: Status, facts: Facts): Status[] {
  const path: Status[] = [];
  let current = status;
  for (let event = dueEvent(current, facts); event !== undefined; event = dueEvent(current, facts)) {
    const next = transitions[current][event];
    if (next === "refused") throw new Error(`a product that is ${current} cannot be moved by ${event}`);
    path.push(next);
    current = next;
  }
  return path;
}

/** The state that follows from the facts alone: where a product is again after blocks were taken back. */
export const statusOf = (facts: Facts): Status => pathFrom("created", facts).at(-1) ?? "created";

/** Time is up, but the product's own funding does not cover what it owes. */
export function isSettlementDelayed(status: Status, { now_s, settleTime_s, chain }: Facts): boolean {
  if (status !== "active" || chain === undefined || now_s < settleTime_s) return false;
  return chain.subscribed > 0n && chain.funded < chain.interestOwed;
}

/** What the platform has to do on chain so that the product can go on. */
export function dueOnChain(status: Status, { now_s, settleTime_s, chain }: Facts): "cancel" | "settle" | undefined {
  if (status !== "active" || chain?.status !== "open") return undefined;
  if (chain.subscribed === 0n) return "cancel";
  return now_s >= settleTime_s && chain.funded >= chain.interestOwed ? "settle" : undefined;
}

export const isInWindow = ({ now_s, subscribeStart_s, subscribeEnd_s }: Facts): boolean =>
  now_s >= subscribeStart_s && now_s < subscribeEnd_s;
