import { StateTable } from "../kernel/state-table.ts";

/**
 * The states of a withdrawal. `requested`: the engine has not answered. `held`: the amount is out of the account and not on its
 * way. `sent`: a node has had the payment. `confirmed`: the Vault has paid it in a final block. `rejected`: it will never be paid
 * and the amount is back in the account, or never left it.
 */
export type WithdrawalStatus = "requested" | "held" | "sent" | "confirmed" | "rejected";

/**
 * The events of a withdrawal. `held`, `refused`: the engine's answers. `submitted`: a node has accepted the payment. `failed`: that
 * payment can no longer be mined, or was mined without effect. `impossible`: the Vault refuses it permanently. `paid`: the Vault's
 * event says that it has paid. `orphaned`: the block of that event is no longer part of the chain.
 */
const WITHDRAWAL_EVENTS = ["held", "refused", "submitted", "failed", "impossible", "paid", "orphaned"] as const;
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
  },
  held: {
    held: "held",
    refused: "held",
    submitted: "sent",
    failed: "held",
    impossible: "rejected",
    paid: "confirmed",
    orphaned: "held",
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
  },
  rejected: "rejected",
});
