import type { BonusAccount, FailedRecipient, PoolLine } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";

export const STATUS_WORDS: Readonly<Record<BonusAccount["status"], { readonly label: string; readonly tone: Tone }>> = {
  active: { label: "running", tone: "accent" },
  frozen: { label: "frozen", tone: "warn" },
  expired_pending: { label: "expired, closing", tone: "warn" },
  recalled: { label: "over", tone: "neutral" },
  refused: { label: "not taken", tone: "neutral" },
};

/** What a status means for the wallet. */
export const STATUS_MEANING: Readonly<Record<BonusAccount["status"], string>> = {
  active: "It can be used for trading until it expires.",
  frozen: "Only orders that reduce a position are accepted. The time until it expires keeps running.",
  expired_pending: "It has expired: positions can only be closed, and what leaves margin returns to the pool.",
  recalled: "It has ended. What was left is back in the pool.",
  refused: "The account could not take it, so it returned to the pool.",
};

export const FAILURE_WORDS: Readonly<Record<FailedRecipient["reason"], string>> = {
  invalid_address: "Not a wallet's address.",
  already_has_bonus: "Has had a bonus of this campaign, or one of an earlier campaign is still running.",
  account_in_debt: "Its principal is below zero: a bonus pays only what comes after it.",
  balance_limit: "The account would hold more than an account may.",
};

export const POOL_WORDS: Readonly<Record<PoolLine["kind"], string>> = {
  GRANT: "Granted",
  RECALL: "Recalled",
  EXPIRE: "Expired",
  REFUSED: "Not taken by the account",
};

const LEDGER_WORDS: Readonly<Record<string, string>> = {
  GRANT: "Granted",
  LOCK: "Put into margin",
  UNLOCK: "Left margin",
  CONSUME_FEE: "Paid fees",
  CONSUME_FUNDING: "Paid funding",
  CONSUME_LOSS: "Paid losses",
  RECALL: "Recalled",
  EXPIRE: "Expired",
};

/** Of a line of the accounts' ledgers; a kind that is not known here is shown as it is. */
export const ledgerWords = (kind: string): string => LEDGER_WORDS[kind] ?? kind;
