import type { PayoutBatch, PayoutBatchStatus, PayoutTransaction } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";
import { formatDecimal, formatMoney } from "../../lib/format.ts";
import { counted } from "../frame/words.ts";

export const BATCH_TONES: Readonly<Record<PayoutBatchStatus, Tone>> = {
  open: "neutral",
  paying: "accent",
  paid: "accent",
  cancelled: "neutral",
};

export const BATCH_WORDS: Readonly<Record<PayoutBatchStatus, string>> = {
  open: "Made. No money has moved; it can be paid or cancelled.",
  paying: "Under way on the chain. It continues automatically and can only be completed.",
  paid: "Every payee has its money.",
  cancelled: "Its lines are pending again.",
};

export const TRANSACTION_WORDS: Readonly<Record<PayoutTransaction["kind"], string>> = {
  vault_payout: "The total leaves the Vault",
  sync: "Payees are credited",
  outside: "Paid outside",
};

export type BatchAction = "pay" | "confirm" | "cancel";

/** The actions that each status allows; the server would refuse the others. */
export const BATCH_ACTIONS: Readonly<Record<PayoutBatchStatus, readonly BatchAction[]>> = {
  open: ["pay", "confirm", "cancel"],
  paying: ["pay"],
  paid: [],
  cancelled: [],
};

type Sized = Pick<PayoutBatch, "total_amount" | "payee_count">;

/** Names thing and amount. */
export const payLabel = ({ total_amount, payee_count }: Sized): string =>
  `Pay ${formatMoney(total_amount)} USDT to ${counted(payee_count, "partner")}`;

export const exactUsdt = (amount: string): string => `${formatDecimal(amount)} USDT`;

const TX_HASH = /^0x[0-9a-fA-F]{64}$/;
export const isTxHash = (text: string): boolean => TX_HASH.test(text.trim());
