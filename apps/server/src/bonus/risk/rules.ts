import { HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";

/** BON-12: the reasons that link two wallets, and their scores. */

export type LinkKind = "funding" | "off_mark" | "mirrored" | "opposite" | "volume" | "pnl" | "ip";

export const LINK_POINTS: Readonly<Record<LinkKind, number>> = {
  funding: 40,
  off_mark: 40,
  mirrored: 30,
  opposite: 30,
  volume: 20,
  pnl: 20,
  ip: 10,
};

/** The scores from which a pair is listed and proposed for freezing. */
export const LISTED_score = 50;
export const PROPOSED_score = 80;
export const MAX_score = 100;

/** From the listing score on, withdrawals of both wait for a review, this long at most. */
export const REVIEW_wait_ms = 72 * HOUR_ms;

/** Money that a bonus account lost to the other side against the mark: from 10 USDT on, and from 2 % of the grant on. */
const MIN_OFF_MARK_micros = 10_000_000n;
const OFF_MARK_share = 50n;

export const isOffMark = (off_mark_micros: bigint, grant_micros: bigint): boolean =>
  off_mark_micros >= MIN_OFF_MARK_micros && off_mark_micros * OFF_MARK_share >= grant_micros;

/** Opposite positions are held for half of the time, or longer. */
export const OPPOSITE_percent = 50;

/** Half of the bonus side's volume, or more. */
export const isMostVolume = (volume_micros: bigint, total_micros: bigint): boolean =>
  volume_micros > 0n && 2n * volume_micros >= total_micros;

/** Similar orders and positions are at most this far apart in time. */
export const LIKE_ms = 5 * MINUTE_ms;

/** A smaller profit or loss says nothing, and neither does a smaller payment: anybody can send dust to any wallet. */
const MIN_PNL_micros = 1_000_000n;
export const MIN_FUNDING_micros = 1_000_000n;

export type ProposedAction = "freeze" | "watch";

export const actionOf = (score: number): ProposedAction => (score >= PROPOSED_score ? "freeze" : "watch");

/** The sizes differ by at most 10 % of the larger one. */
export const areSizesAlike = (lots: number, otherLots: number): boolean =>
  10 * Math.abs(lots - otherLots) <= Math.max(lots, otherLots);

const magnitude = (micros: bigint) => (micros < 0n ? -micros : micros);

/** One wallet gained what the other lost, within 10 % of the larger amount. */
export function areSymmetric(one_micros: bigint, other_micros: bigint): boolean {
  const [one, other] = [magnitude(one_micros), magnitude(other_micros)];
  if (one < MIN_PNL_micros || other < MIN_PNL_micros) return false;
  if (one_micros > 0n === other_micros > 0n) return false;
  return 10n * magnitude(one_micros + other_micros) <= (one > other ? one : other);
}
