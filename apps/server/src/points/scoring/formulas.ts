/* PTS-3 in exact integers. Points, fees and principals are whole millionths; each formula is rounded down once, at its end. */

/** The parameters of scoring; every line cites the version. */
export interface Rule {
  readonly version: number;
  readonly points_per_fee: number;
  readonly maker_e2: number;
  readonly usdt_per_earn_point: number;
  readonly referral_e2: number;
}

export const ONE_e2 = 100;

/** The points of a fill: points per USDT of countable fee, times the maker's factor, times the market's boost. */
export function fillPoints(
  { points_per_fee, maker_e2 }: Rule,
  fill: { readonly counted_micros: number; readonly isMaker: boolean; readonly boost_e2: number },
): bigint {
  const factor_e2 = fill.isMaker ? maker_e2 : ONE_e2;
  const product_e4 = BigInt(fill.counted_micros) * BigInt(points_per_fee) * BigInt(factor_e2) * BigInt(fill.boost_e2);
  return product_e4 / BigInt(ONE_e2 * ONE_e2);
}

/** The points of an earn position for one day. */
export const earnPoints = ({ usdt_per_earn_point }: Rule, principal_micros: bigint): bigint =>
  principal_micros / BigInt(usdt_per_earn_point);

/** The inviter's share of an invitee's points, in addition to them. */
export const referralPoints = ({ referral_e2 }: Rule, points_micros: bigint): bigint =>
  (points_micros * BigInt(referral_e2)) / BigInt(ONE_e2);
