import type { AnsweredMessage } from "../../kernel/engine-requests/answers.ts";
import { moneyText } from "../../kernel/units.ts";
import type { BonusAccountStatus } from "../tables.ts";

/** The stored progress of a request while the engine answers wallet by wallet. */
export interface LinkedPlan {
  readonly target_address: string;
  readonly wallets: readonly PlannedWallet[];
}

export interface PlannedWallet {
  readonly address: string;
  /** The id of the wallet's bonus, as text because JSON numbers lose digits. */
  readonly bonus_account_id: string;
  /** Null until the engine has answered. */
  readonly outcome: LinkedOutcome | null;
}

export interface LinkedOutcome {
  readonly status: BonusAccountStatus;
  readonly recalled_amount: string;
  readonly still_locked_amount: string;
}

const RECALL_REF = /^bonus-linked:(.+):(\d+):recall$/s;

/** The outbox reference of the freeze or recall of one bonus. */
export const linkedRef = (request_id: string, bonus_account_id: string, action: "freeze" | "recall"): string =>
  `bonus-linked:${request_id}:${bonus_account_id}:${action}`;

/** The request and the bonus of a recall; undefined for other references. */
export function parseRecallRef(ref: string): { request_id: string; bonus_account_id: string } | undefined {
  const [, request_id, bonus_account_id] = RECALL_REF.exec(ref) ?? [];
  return request_id === undefined || bonus_account_id === undefined ? undefined : { request_id, bonus_account_id };
}

/** The outcome of a recall, with the bonus's status after it. */
export function outcomeOf({ refused, events }: AnsweredMessage, status: BonusAccountStatus): LinkedOutcome {
  let recalled_micros = 0n;
  for (const event of events) {
    if (event.kind === "bonus_line" && event.line === "RECALL") recalled_micros += BigInt(event.amount_micros);
  }
  return {
    status,
    recalled_amount: moneyText(recalled_micros),
    still_locked_amount: moneyText(refused?.reason === "bonus_locked" ? refused.actual : 0),
  };
}
