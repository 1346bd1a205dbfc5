import type { AccountIncome, Withdrawal } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";

/** Something that came in from the chain or went out to it. */
export type Movement =
  | {
      readonly kind: "deposit";
      readonly id: string;
      /** Of the account's transfer. */
      readonly transferId: string;
      readonly time: number;
      readonly amount: string;
    }
  | { readonly kind: "withdrawal"; readonly id: string; readonly time: number; readonly withdrawal: Withdrawal };

type Transfer = Pick<AccountIncome, "id" | "amount" | "time">;

const isAbove = (amount: string) => Decimal.parse(amount).gt(Decimal.ZERO);
const isSame = (a: string, b: string) => Decimal.parse(a).equals(Decimal.parse(b));

/**
 * Deposits are the account's transfers above zero, but for those that only give a rejected withdrawal back: one for each,
 * of its amount and not before it.
 */
export function depositsOf(transfers: readonly Transfer[], withdrawals: readonly Withdrawal[]): Transfer[] {
  const incoming = transfers.filter(({ amount }) => isAbove(amount)).sort((a, b) => a.time - b.time);
  for (const { status, amount, created_time } of withdrawals) {
    if (status !== "rejected") continue;
    const held = transfers.some((each) => isSame(each.amount, `-${amount}`) && each.time >= created_time);
    const back = incoming.findIndex((each) => isSame(each.amount, amount) && each.time >= created_time);
    // What was refused at once was never held, so nothing came back.
    if (held && back !== -1) incoming.splice(back, 1);
  }
  return incoming;
}

/** Both directions in one list, the newest first. */
export function movementsOf(transfers: readonly Transfer[], withdrawals: readonly Withdrawal[]): Movement[] {
  const deposits = depositsOf(transfers, withdrawals).map(
    ({ id, time, amount }): Movement => ({ kind: "deposit", id: `deposit ${id}`, transferId: id, time, amount }),
  );
  const out = withdrawals.map(
    (withdrawal): Movement => ({ kind: "withdrawal", id: withdrawal.id, time: withdrawal.created_time, withdrawal }),
  );
  return [...deposits, ...out].sort((a, b) => b.time - a.time);
}

/** The number of the newest transfer, so that a later one can be told from it. */
export const newestTransfer = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((newest, { id }) => (BigInt(id) > newest ? BigInt(id) : newest), -1n);

/** The transfer by which a deposit of this amount was credited after that. */
export const creditAfter = (transfers: readonly Transfer[], before: bigint, tokens: string): Transfer | undefined =>
  transfers.find(({ id, amount }) => BigInt(id) > before && isSame(amount, tokens));
