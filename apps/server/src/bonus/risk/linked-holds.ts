import type { HoldTerms, NewHold } from "../../wallet/index.ts";
import type { Assessment } from "./assessments.ts";
import { REVIEW_wait_ms } from "./rules.ts";

/**
 * BON-12: the holds of linked wallets: of each, what it has gained since the grant. A wallet that is linked several times has one
 * hold, of the largest gain.
 */
export function linkedHolds({ links }: Pick<Assessment, "links">): NewHold[] {
  const holds = new Map<number, NewHold>();
  for (const { wallets, score, gains_micros } of links) {
    for (const [place, { account }] of wallets.entries()) {
      const amount_micros = gains_micros[place]!;
      if (amount_micros === 0n || amount_micros <= (holds.get(account)?.amount_micros ?? 0n)) continue;
      const other = wallets[1 - place]!.address;
      holds.set(account, { ref: `linked-bonus:${account}`, account, amount_micros, note: `${other}, score ${score}` });
    }
  }
  return [...holds.values()];
}

export const linkedTerms = (now_ms: number): HoldTerms => ({
  reason: "linked_bonus",
  wait_ms: REVIEW_wait_ms,
  set_at: new Date(now_ms),
  ends_at: null,
});
