/** BON-12: what two wallets have in common, and what that comes to. */

export type LinkKind = "funding" | "mirrored" | "pnl" | "ip";

export const LINK_POINTS: Readonly<Record<LinkKind, number>> = { funding: 40, mirrored: 30, pnl: 20, ip: 10 };

/** From so many points on a pair is listed, and proposed for freezing. */
export const LISTED_score = 50;
export const PROPOSED_score = 80;
export const MOST_score = 100;

/** Orders and positions are like each other within so much time. */
export const LIKE_ms = 5 * 60_000;

/** Below it a profit or loss says nothing, and neither does a payment: anybody can send dust to anybody. */
const LEAST_PNL_micros = 1_000_000n;
export const LEAST_FUNDING_micros = 1_000_000n;

export type ProposedAction = "freeze" | "watch";

export const actionOf = (score: number): ProposedAction => (score >= PROPOSED_score ? "freeze" : "watch");

/** Sizes within 10 % of the larger one. */
export const areSizesAlike = (lots: number, otherLots: number): boolean =>
  10 * Math.abs(lots - otherLots) <= Math.max(lots, otherLots);

const magnitude = (micros: bigint) => (micros < 0n ? -micros : micros);

/** One wallet has gained what the other has lost, within 10 % of the larger one. */
export function areSymmetric(one_micros: bigint, other_micros: bigint): boolean {
  const [one, other] = [magnitude(one_micros), magnitude(other_micros)];
  if (one < LEAST_PNL_micros || other < LEAST_PNL_micros) return false;
  if (one_micros > 0n === other_micros > 0n) return false;
  return 10n * magnitude(one_micros + other_micros) <= (one > other ? one : other);
}
