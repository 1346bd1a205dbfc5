import { moneyText } from "../../exchange/units.ts";
import type { AnsweredMessage } from "../../wallet/outcomes.ts";
import type { BonusAccountStatus } from "../tables.ts";

/** What a request keeps while the engine answers it wallet by wallet. */
export interface LinkedPlan {
  readonly target_address: string;
  readonly wallets: readonly PlannedWallet[];
}

export interface PlannedWallet {
  readonly address: string;
  /** The id of its bonus, as text, since JSON numbers lose digits. */
  readonly bonus_account_id: string;
  /** Null until the engine has said what became of it. */
  readonly outcome: LinkedOutcome | null;
}

export interface LinkedOutcome {
  readonly status: BonusAccountStatus;
  readonly recalled_amount: string;
  readonly still_locked_amount: string;
}

const RECALL_REF = /^bonus-linked:(.+):(\d+):recall$/s;

/** Under which name the engine is told to freeze or to recall one of the bonuses. */
export const linkedRef = (request_id: string, bonus_account_id: string, action: "freeze" | "recall"): string =>
  `bonus-linked:${request_id}:${bonus_account_id}:${action}`;

/** The request and the bonus behind a recall; undefined where it is none of these. */
export function parseRecallRef(ref: string): { request_id: string; bonus_account_id: string } | undefined {
  const [, request_id, bonus_account_id] = RECALL_REF.exec(ref) ?? [];
  return request_id === undefined || bonus_account_id === undefined ? undefined : { request_id, bonus_account_id };
}

/** What a recall came to, with the status that the bonus has after it. */
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
