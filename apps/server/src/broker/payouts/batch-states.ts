import { refusals } from "../refusals.ts";
import type { PayoutStatus } from "../tables.ts";

/**
 * Where a batch is. `open`: its lines are taken, no money has moved. `paying`: the fee account was asked, and whatever it
 * gave is on its way to the payees. `paid`: every payee has its money. `cancelled`: its lines were let go.
 */
export const BATCH_STATES = ["open", "paying", "paid", "cancelled"] as const satisfies readonly PayoutStatus[];

/**
 * What can happen to it. `pay`, `confirm`, `cancel`: an admin asks for it (`confirm` with a transaction that the batch does
 * not have yet). `taken`, `refused`: the engine's answers. `funded`: the Vault has paid the operator. `part_paid`,
 * `all_paid`: some of the payees are credited, or the last of them.
 */
export const BATCH_EVENTS = [
  "pay",
  "confirm",
  "cancel",
  "taken",
  "refused",
  "funded",
  "part_paid",
  "all_paid",
] as const;
export type BatchEvent = (typeof BATCH_EVENTS)[number];

/** Asked for in a state in which it cannot be done. */
export const CONFLICT = "conflict";
type Move = PayoutStatus | typeof CONFLICT;

/** Every state and everything that can happen in it has its answer. */
export const batchMoves: Readonly<Record<PayoutStatus, Readonly<Record<BatchEvent, Move>>>> = {
  open: {
    pay: "paying",
    confirm: "paid",
    cancel: "cancelled",
    // Nothing was asked for, or it was refused already: such news is old.
    taken: "open",
    refused: "open",
    funded: "open",
    part_paid: "open",
    all_paid: "open",
  },
  paying: {
    // Asked again it goes on.
    pay: "paying",
    // Its money is on the way: a second one must not be counted for it, and its lines cannot be let go.
    confirm: CONFLICT,
    cancel: CONFLICT,
    taken: "paying",
    refused: "open",
    funded: "paying",
    part_paid: "paying",
    all_paid: "paid",
  },
  paid: {
    pay: "paid",
    confirm: CONFLICT,
    cancel: CONFLICT,
    taken: "paid",
    refused: "paid",
    funded: "paid",
    part_paid: "paid",
    all_paid: "paid",
  },
  cancelled: {
    pay: CONFLICT,
    confirm: CONFLICT,
    cancel: "cancelled",
    taken: "cancelled",
    refused: "cancelled",
    funded: "cancelled",
    part_paid: "cancelled",
    all_paid: "cancelled",
  },
};

const DONE: Readonly<Record<"pay" | "confirm" | "cancel", string>> = {
  pay: "be paid",
  confirm: "be confirmed with this transaction",
  cancel: "be cancelled",
};

/** Where an admin's wish leads; refused where it cannot be done. */
export function nextStatus(status: PayoutStatus, wish: keyof typeof DONE): PayoutStatus {
  const next = batchMoves[status][wish];
  if (next !== CONFLICT) return next;
  throw refusals.invalidState(status, `a batch that is ${status} cannot ${DONE[wish]}`);
}

/** Where news of its payment leads. */
export function movedBy(status: PayoutStatus, news: Exclude<BatchEvent, keyof typeof DONE>): PayoutStatus {
  const next = batchMoves[status][news];
  if (next === CONFLICT) throw new Error(`a batch that is ${status} cannot be told of ${news}`);
  return next;
}
