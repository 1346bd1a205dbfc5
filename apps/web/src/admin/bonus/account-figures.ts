import type { BonusAccount, BonusAccountDetail } from "@bourse/api/client";
import { Decimal, sum } from "../../lib/decimal.ts";

export type BonusWithLines = BonusAccountDetail["bonuses"][number];

export interface GrantBalance {
  readonly granted: string;
  readonly free: string;
  readonly locked: string;
  readonly consumed: string;
  /** What the pool has back. */
  readonly returned: string;
  /** Granted less all of the others: nothing, if the books are right. */
  readonly difference: string;
  readonly addsUp: boolean;
}

/** Where a grant is now: every unit of it is free, in margin, consumed, or back in the pool. */
export function balanceOfGrant(bonus: BonusWithLines): GrantBalance {
  const returned = sum(bonus.pool_lines.filter(({ kind }) => kind !== "GRANT").map(({ amount }) => amount));
  const held = sum([bonus.bonus_free, bonus.bonus_locked, bonus.bonus_consumed]);
  const difference = Decimal.parse(bonus.amount).sub(held).sub(returned);
  return {
    granted: bonus.amount,
    free: bonus.bonus_free,
    locked: bonus.bonus_locked,
    consumed: bonus.bonus_consumed,
    returned: returned.toString(),
    difference: difference.toString(),
    addsUp: difference.isZero(),
  };
}

/** What is left of a bonus, whether in margin or not. */
export const heldOf = ({ bonus_free, bonus_locked }: Pick<BonusAccount, "bonus_free" | "bonus_locked">): Decimal =>
  sum([bonus_free, bonus_locked]);

export interface AccountMoves {
  readonly canFreeze: boolean;
  readonly canUnfreeze: boolean;
  readonly canRecall: boolean;
  /** Why the other actions are not offered. */
  readonly why: string;
}

type Moving = Pick<BonusAccount, "status" | "bonus_locked" | "is_credited">;

/** BON-10: what can be done to a bonus, and why the rest cannot. */
export function movesOf({ status, bonus_locked, is_credited }: Moving): AccountMoves {
  const none = { canFreeze: false, canUnfreeze: false, canRecall: false };
  if (status === "recalled" || status === "refused") return { ...none, why: "It has ended: nothing can be done." };
  if (!is_credited) return { ...none, why: "It is being credited. Look again in a moment." };
  const isLocked = !Decimal.parse(bonus_locked).isZero();
  const why = isLocked
    ? `Recalling is refused while ${bonus_locked} USDT of it are in margin. They become free when positions are closed and orders cancelled${status === "active" ? "; freezing cancels the orders" : ""}.`
    : status === "expired_pending"
      ? "It has expired, so it cannot be frozen. What is free can be recalled."
      : "Nothing of it is in margin, so it can be recalled at once.";
  return { canFreeze: status === "active", canUnfreeze: status === "frozen", canRecall: !isLocked, why };
}
