import { Refused, refuse, StateTable } from "../../kernel/state-table.ts";
import { refusals } from "../refusals.ts";
import type { PayoutStatus } from "../tables.ts";

/**
 * What can happen to a batch. `pay`, `confirm`, `cancel`: an admin asks for it (`confirm` with a transaction that the batch
 * does not have yet). `taken`, `refused`: the engine's answers. `funded`: the Vault has paid the operator. `part_paid`,
 * `all_paid`: some of the payees are credited, or the last of them.
 */
const BATCH_EVENTS = ["pay", "confirm", "cancel", "taken", "refused", "funded", "part_paid", "all_paid"] as const;
export type BatchEvent = (typeof BATCH_EVENTS)[number];

/** Asked for in a state in which it cannot be done. */
const CONFLICT = refuse("conflict");

/**
 * `open`: its lines are taken, no money has moved. `paying`: the fee account was asked, and whatever it gave is on its way to
 * the payees. `paid`: every payee has its money. `cancelled`: its lines were let go.
 */
export const batchStates = new StateTable<PayoutStatus, BatchEvent, "conflict">(BATCH_EVENTS, {
  open: {
    pay: "paying",
    confirm: "paid",
    cancel: "cancelled",
    // No request is open, or it was refused already: the event is stale.
    taken: "open",
    refused: "open",
    funded: "open",
    part_paid: "open",
    all_paid: "open",
  },
  paying: {
    // A repeated request continues the payment.
    pay: "paying",
    // The money is on its way: another transaction must not be counted, and the lines cannot be released.
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
});

const DONE: Readonly<Record<"pay" | "confirm" | "cancel", string>> = {
  pay: "be paid",
  confirm: "be confirmed with this transaction",
  cancel: "be cancelled",
};

/** The next state for an admin's request; refused if the state does not allow it. */
export function nextStatus(status: PayoutStatus, wish: keyof typeof DONE): PayoutStatus {
  const next = batchStates.answer(status, wish);
  if (!(next instanceof Refused)) return next;
  throw refusals.invalidState(status, `a batch that is ${status} cannot ${DONE[wish]}`);
}

/** Where news of its payment leads. */
export const movedBy = (status: PayoutStatus, news: Exclude<BatchEvent, keyof typeof DONE>): PayoutStatus =>
  batchStates.next(status, news);
