import type { ReviewedWithdrawal } from "@bourse/api/client";
import type { staffApi } from "../../session/session.ts";

export type Decision = "release" | "refuse";

interface DecisionWords {
  readonly title: string;
  /** What becomes of the amount. */
  readonly outcome: string;
  readonly say: string;
  readonly send: (api: typeof staffApi, id: string, reason: string) => Promise<unknown>;
}

export const DECISIONS: Readonly<Record<Decision, DecisionWords>> = {
  release: {
    title: "Release a withdrawal",
    outcome: "are sent like any other",
    say: "Released: it is sent with the next payments.",
    send: (api, id, reason) => api.exchangeAdmin.releaseWithdrawal(id, { reason }),
  },
  refuse: {
    title: "Refuse a withdrawal",
    outcome: "go back into the account",
    say: "Refused: the amount is back in the account.",
    send: (api, id, reason) => api.exchangeAdmin.refuseWithdrawal(id, { reason }),
  },
};

const REASONS: Readonly<Record<string, string>> = {
  linked_bonus: "linked with a bonus account",
  fund_capped: "won from a bankrupt account",
};

/** Why a withdrawal waits; a reason of a later release is shown as it came. */
export const wordsOfReview = (reason: ReviewedWithdrawal["reason"]): string =>
  reason === null ? "–" : (REASONS[reason] ?? reason);
