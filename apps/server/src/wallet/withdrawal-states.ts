import { StateTable } from "../kernel/state-table.ts";

/**
 * The states of a withdrawal. `requested`: the engine has not answered. `held`: the amount is out of the account and not on its
 * way. `in_review`: as held, but it touches a hold and waits for staff or for its time to end. `sent`: a node has had the payment. `confirmed`: the Vault has paid it in a final block. `rejected`: it will never be paid
 * and the amount is back in the account, or never left it.
 */
export type WithdrawalStatus = "requested" | "held" | "in_review" | "sent" | "confirmed" | "rejected";

/**
 * The events of a withdrawal. `held`, `refused`: the engine's answers. `submitted`: a node has accepted the payment. `failed`: that
 * payment can no longer be mined, or was mined without effect. `impossible`: the Vault refuses it permanently. `paid`: the Vault's
 * event says that it has paid. `orphaned`: the block of that event is no longer part of the chain. `touched`: a hold covers it.
 * `released`, `declined`: by staff; released also when it has waited long enough.
 */
const WITHDRAWAL_EVENTS = [
  "held",
  "refused",
  "submitted",
  "failed",
  "impossible",
  "paid",
  "orphaned",
  "touched",
  "released",
  "declined",
] as const;
export type WithdrawalEvent = (typeof WITHDRAWAL_EVENTS)[number];

export const withdrawalStates = new StateTable<WithdrawalStatus, WithdrawalEvent>(WITHDRAWAL_EVENTS, {
  requested: {
    held: "held",
    refused: "rejected",
    submitted: "requested",
    failed: "requested",
    impossible: "requested",
    // The engine's answer is on its way: nothing is sent before it.
    paid: "confirmed",
    orphaned: "requested",
    touched: "requested",
    released: "requested",
    declined: "requested",
  },
  held: {
    held: "held",
    refused: "held",
    submitted: "sent",
    failed: "held",
    impossible: "rejected",
    paid: "confirmed",
    orphaned: "held",
    touched: "in_review",
    released: "held",
    declined: "held",
  },
  in_review: {
    held: "in_review",
    refused: "in_review",
    // Nothing is sent from here; what a node has had all the same is on its way.
    submitted: "sent",
    failed: "in_review",
    impossible: "in_review",
    paid: "confirmed",
    orphaned: "in_review",
    touched: "in_review",
    released: "held",
    declined: "rejected",
  },
  sent: {
    held: "sent",
    refused: "sent",
    submitted: "sent",
    // Paid by another attempt, since the Vault's id is the same for all.
    failed: "held",
    // What is on its way may still be mined.
    impossible: "sent",
    paid: "confirmed",
    orphaned: "sent",
    touched: "sent",
    released: "sent",
    declined: "sent",
  },
  confirmed: {
    held: "confirmed",
    refused: "confirmed",
    submitted: "confirmed",
    failed: "confirmed",
    impossible: "confirmed",
    paid: "confirmed",
    // It is watched again until it is paid on the chain that counts. The engine was told already and is not told twice.
    orphaned: "sent",
    touched: "confirmed",
    released: "confirmed",
    declined: "confirmed",
  },
  rejected: "rejected",
});
