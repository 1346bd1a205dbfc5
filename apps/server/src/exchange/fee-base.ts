import type { EventOf } from "@bourse/engine";

/** Why a fill's fee does not count, or counts only in part, for programs that reward fees (BRK-7, PTS-3). */
export type FeeSkip =
  | "self_trade"
  | "liquidation"
  | "takeover"
  | "adl"
  | "off_market"
  | "no_fee"
  | "paid_by_bonus"
  | "partly_paid_by_bonus";

type Fill = EventOf<"fill">;

/** Causes of fills that the account did not order. */
const FORCED: Partial<Record<Fill["cause"], FeeSkip>> = {
  liquidation: "liquidation",
  takeover: "takeover",
  adl: "adl",
};

/** FUT-15: whether a fill counts for anybody's volume. */
export const hasVolume = ({ isSelfTrade, isOffMarket }: Pick<Fill, "isSelfTrade" | "isOffMarket">): boolean =>
  isSelfTrade === 0 && isOffMarket === 0;

/** The part of a fill's fee that counts, and the reason when it is not the whole fee. */
export function countedOf(fill: Fill): { counted_micros: number; reason: FeeSkip | null } {
  const { fee_micros, feeFromBonus_micros } = fill;
  const nothing = (reason: FeeSkip) => ({ counted_micros: 0, reason });
  if (fill.isSelfTrade === 1) return nothing("self_trade");
  const forced = FORCED[fill.cause];
  if (forced !== undefined) return nothing(forced);
  if (fill.isOffMarket === 1) return nothing("off_market");
  if (fee_micros === 0) return nothing("no_fee");
  if (feeFromBonus_micros === 0) return { counted_micros: fee_micros, reason: null };
  if (feeFromBonus_micros >= fee_micros) return nothing("paid_by_bonus");
  return { counted_micros: fee_micros - feeFromBonus_micros, reason: "partly_paid_by_bonus" };
}
