/**
 * Where a transaction of the operator is. `signed`: its bytes are stored, and may or may not have reached a node.
 * `sent`: a node has had it. `superseded`: another transaction has used its nonce, so it can never be mined.
 */
export const STATUSES = ["signed", "sent", "confirmed", "reverted", "superseded"] as const;
export type Status = (typeof STATUSES)[number];

/**
 * What a look at the chain can show. `unseen`: no node knows it. `pending`: it waits, or its block is too young to count.
 * `gone`: the block that it was in is no longer part of the chain.
 */
export const OBSERVATIONS = ["unseen", "pending", "succeeded", "failed", "nonce-taken", "gone"] as const;
export type Observation = (typeof OBSERVATIONS)[number];

/** Every state and everything that can be seen in it has its answer. */
export const transitions: Readonly<Record<Status, Readonly<Record<Observation, Status>>>> = {
  signed: {
    unseen: "signed",
    pending: "sent",
    succeeded: "confirmed",
    failed: "reverted",
    "nonce-taken": "superseded",
    gone: "signed",
  },
  sent: {
    // Nodes forget what waits too long; it is handed over again.
    unseen: "sent",
    pending: "sent",
    succeeded: "confirmed",
    failed: "reverted",
    "nonce-taken": "superseded",
    gone: "sent",
  },
  // A chain that was reorganised deeper than its confirmations takes back what counted. The same bytes go out again.
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
  superseded: {
    unseen: "superseded",
    pending: "superseded",
    succeeded: "superseded",
    failed: "superseded",
    "nonce-taken": "superseded",
    gone: "superseded",
  },
};

export const isOpen = (status: Status): boolean => status === "signed" || status === "sent";
