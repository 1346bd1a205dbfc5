import type { BonusLedgerLine, MyBonus } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";
import { Decimal, fractionForDrawing } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";

interface Said {
  readonly label: string;
  readonly tone: Tone;
  readonly more: string;
}

export const BONUS_STATUS: Readonly<Record<MyBonus["status"], Said>> = {
  none: { label: "None yet", tone: "neutral", more: "Redeem a code to get one." },
  active: { label: "Active", tone: "accent", more: "It counts as margin for your positions." },
  frozen: {
    label: "Frozen",
    tone: "warn",
    more: "Only orders that reduce a position are accepted. The time until it expires keeps running.",
  },
  expired_pending: {
    label: "Expired",
    tone: "warn",
    more: "It has expired: close your positions. What leaves margin returns to the pool.",
  },
  recalled: {
    label: "Over",
    tone: "neutral",
    more: "What was left has returned to the pool. Your profits stay yours.",
  },
};

const KINDS: Readonly<Record<string, { readonly label: string; readonly how: string }>> = {
  GRANT: { label: "Granted", how: "Credited by a grant of the operators or by the code that you redeemed." },
  LOCK: {
    label: "Into margin",
    how: "Margin in use is covered half by your principal, half by the bonus: min(bonus, IM − min(principal, IM ÷ 2 rounded up)).",
  },
  UNLOCK: { label: "Out of margin", how: "Positions or orders need less margin, so this part is free again." },
  CONSUME_FEE: {
    label: "Paid fees",
    how: "Half of a fee comes from the bonus and half from principal; where one runs out, the other pays.",
  },
  CONSUME_FUNDING: {
    label: "Paid funding",
    how: "Half of the funding you paid comes from the bonus and half from principal.",
  },
  CONSUME_LOSS: { label: "Bore a loss", how: "Half of a realised loss comes from the bonus and half from principal." },
  RECALL: {
    label: "Recalled",
    how: "What was left, or what the bonus had paid of unfair losses, went back to the pool because the bonus ended.",
  },
  EXPIRE: { label: "Expired", how: "What was left went back to the pool when its time was over." },
};

export const lineName = (kind: string): string => KINDS[kind]?.label ?? kind;
export const lineHow = (kind: string): string => KINDS[kind]?.how ?? "A line of your bonus.";

const MOVES = ["LOCK", "UNLOCK"];

/** What a line did to the bonus: locking only moves it. */
export function signedAmount({ kind, amount }: Pick<BonusLedgerLine, "kind" | "amount">): string {
  return MOVES.includes(kind) || kind === "GRANT" ? amount : `-${amount}`;
}

export const isMove = (kind: string): boolean => MOVES.includes(kind);
export const isOfTrades = (kind: string): boolean => kind === "CONSUME_FEE" || kind === "CONSUME_LOSS";

export interface BonusShares {
  readonly free: number;
  readonly locked: number;
  readonly consumed: number;
}

/** How the granted amount is shared out, for drawing. */
export function sharesOf({ amount, bonus_free, bonus_locked, bonus_consumed }: MyBonus): BonusShares {
  return {
    free: fractionForDrawing(bonus_free, amount),
    locked: fractionForDrawing(bonus_locked, amount),
    consumed: fractionForDrawing(bonus_consumed, amount),
  };
}

/** BON-7: why a part of the principal goes back to the pool; undefined where nothing is owed. */
export function owedWords(
  bonus: Pick<MyBonus, "status" | "bonus_owed" | "slippage" | "slippage_budget">,
): string | undefined {
  if (Decimal.parse(bonus.bonus_owed).isZero()) return undefined;
  const isSlippage = Decimal.parse(bonus.slippage).gt(Decimal.parse(bonus.slippage_budget));
  const why = isSlippage
    ? `Your trades cost ${formatMoney(bonus.slippage)} USDT against the mark; the bonus bears its share of ${formatMoney(bonus.slippage_budget)} USDT.`
    : "The bonus paid its share of losses that it does not bear: they were there before the grant, or came from unfair prices.";
  const when = isRunning(bonus) ? "when the bonus ends" : "as soon as your principal is free";
  return `${why} What it paid beyond that cannot be withdrawn and goes back to the pool ${when}.`;
}

const HOUR_MS = 3_600_000;

export const isRunning = ({ status }: Pick<MyBonus, "status">): boolean =>
  status === "active" || status === "frozen" || status === "expired_pending";

/** BON-9: the warning before a bonus expires. */
export function expiryWarning(bonus: MyBonus, now_ms: number): string | undefined {
  if (bonus.expires_at === null || (bonus.status !== "active" && bonus.status !== "frozen")) return undefined;
  const left_ms = Date.parse(bonus.expires_at) - now_ms;
  if (left_ms > 24 * HOUR_MS) return undefined;
  const soon = left_ms > HOUR_MS ? "within a day" : "within the hour";
  const isInMargin = !Decimal.parse(bonus.bonus_locked).isZero();
  return isInMargin
    ? `Your bonus ends ${soon}. Then open orders are cancelled and only closing is allowed; what is in margin goes back as you close, and after 7 more days positions are closed for you.`
    : `Your bonus ends ${soon}. What you have not used goes back to the pool.`;
}
