import type { HeldAmount } from "@bourse/api/client";

/** What is held, and what that means for a withdrawal. */
export const HOLD_WORDS: Readonly<Record<HeldAmount["reason"], { readonly label: string; readonly more: string }>> = {
  held_gains: {
    label: "Gains from bonus accounts",
    more: "Won against the mark from accounts that trade on a bonus. It is margin, and can be withdrawn after 72 hours.",
  },
  bonus_owed: {
    label: "Owed to the bonus pool",
    more: "Your bonus paid it of losses that it does not bear. It goes back when the bonus ends.",
  },
  linked_bonus: {
    label: "Reviewed: linked with a bonus account",
    more: "A withdrawal that leaves less than this waits for a review, 72 hours at most.",
  },
  fund_capped: {
    label: "Reviewed: won from a bankrupt account",
    more: "The insurance fund lost much in this market. A withdrawal that leaves less than this waits for a review.",
  },
};
