import type { Deposit, Withdrawal } from "@bourse/api/client";

/** Something that came in from the chain or went out to it. */
export type Movement =
  | { readonly kind: "deposit"; readonly id: string; readonly time: number; readonly deposit: Deposit }
  | { readonly kind: "withdrawal"; readonly id: string; readonly time: number; readonly withdrawal: Withdrawal };

/** Both directions in one list, the newest first. A transaction can make several deposits, so their place tells them apart. */
export function movementsOf(deposits: readonly Deposit[], withdrawals: readonly Withdrawal[]): Movement[] {
  const incoming = deposits.map(
    (deposit, place): Movement => ({
      kind: "deposit",
      id: `deposit ${deposit.tx_hash} ${deposits.length - place}`,
      time: deposit.created_time,
      deposit,
    }),
  );
  const outgoing = withdrawals.map(
    (withdrawal): Movement => ({ kind: "withdrawal", id: withdrawal.id, time: withdrawal.created_time, withdrawal }),
  );
  return [...incoming, ...outgoing].sort((a, b) => b.time - a.time);
}

/** What can still change. */
export const isOpen = ({ status }: Pick<Deposit, "status"> | Pick<Withdrawal, "status">): boolean =>
  status === "requested" || status === "in_review" || status === "sent";
