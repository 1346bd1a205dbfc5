/**
 * Where a withdrawal is. `requested`: the engine has not answered. `held`: the amount is out of the account and not on its
 * way. `sent`: a node has had the payment. `confirmed`: the Vault has paid it in a block that counts. `rejected`: it will
 * never be paid and the amount is back in the account, or never left it.
 */
export const WITHDRAWAL_STATES = ["requested", "held", "sent", "confirmed", "rejected"] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATES)[number];

/**
 * What can happen to it. `held`, `refused`: the engine's answers. `submitted`: a node has taken the payment. `failed`: that
 * payment can no more be mined, or was mined without effect. `impossible`: the Vault refuses it now and always will.
 * `paid`: the Vault says that it has paid. `orphaned`: the block in which it said so is no longer part of the chain.
 */
export const WITHDRAWAL_EVENTS = ["held", "refused", "submitted", "failed", "impossible", "paid", "orphaned"] as const;
export type WithdrawalEvent = (typeof WITHDRAWAL_EVENTS)[number];

/** Every state and everything that can happen in it has its answer. */
export const withdrawalMoves: Readonly<Record<WithdrawalStatus, Readonly<Record<WithdrawalEvent, WithdrawalStatus>>>> =
  {
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
    rejected: {
      held: "rejected",
      refused: "rejected",
      submitted: "rejected",
      failed: "rejected",
      impossible: "rejected",
      paid: "rejected",
      orphaned: "rejected",
    },
  };
