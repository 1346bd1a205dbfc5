import { StateTable } from "../../kernel/state-table.ts";

/**
 * The status of an operator's transaction. `signed`: its bytes are stored, and may or may not have reached a node. `sent`: a node
 * has had it. `superseded`: another transaction has used its nonce, so it can never be mined.
 */
export type Status = "signed" | "sent" | "confirmed" | "reverted" | "superseded";

/**
 * The observations of a check. `unseen`: no node knows it. `pending`: it waits, or its block is not final. `gone`: its block is no
 * longer part of the chain.
 */
const OBSERVATIONS = ["unseen", "pending", "succeeded", "failed", "nonce-taken", "gone"] as const;
export type Observation = (typeof OBSERVATIONS)[number];

export const transactionStates = new StateTable<Status, Observation>(OBSERVATIONS, {
  signed: {
    unseen: "signed",
    pending: "sent",
    succeeded: "confirmed",
    failed: "reverted",
    "nonce-taken": "superseded",
    gone: "signed",
  },
  sent: {
    // Nodes drop transactions that wait too long; it is sent again.
    unseen: "sent",
    pending: "sent",
    succeeded: "confirmed",
    failed: "reverted",
    "nonce-taken": "superseded",
    gone: "sent",
  },
  // A reorganisation deeper than the confirmations reverts final blocks. The same bytes are sent again.
  confirmed: {
    unseen: "confirmed",
    pending: "confirmed",
    succeeded: "confirmed",
    failed: "confirmed",
    "nonce-taken": "confirmed",
    gone: "sent",
  },
  reverted: {
    unseen: "reverted",
    pending: "reverted",
    succeeded: "reverted",
    failed: "reverted",
    "nonce-taken": "reverted",
    gone: "sent",
  },
  superseded: "superseded",
});

export const isOpen = (status: Status): boolean => status === "signed" || status === "sent";
