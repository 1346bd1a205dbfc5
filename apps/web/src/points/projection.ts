import { Decimal } from "../lib/decimal.ts";

export interface ProjectionInput {
  readonly points: string;
  readonly weight: number;
  readonly pool: number;
  readonly projected: number;
}

export interface Projection {
  /** points × weight. */
  readonly weighted: string;
  /** The part of the pool, as a fraction. */
  readonly share: string;
  /**
   * What everybody's weighted points must come to for that share. The exchange tells whole tokens only, so this is a
   * round figure; unknown where the share is nothing.
   */
  readonly everybody: string | undefined;
}

const whole = (value: number): Decimal => Decimal.parse(String(value));

/** PTS-5 read backwards: how `tokens = pool × mine ÷ everybody's` comes to the number that is projected. */
export function projectionOf({ points, weight, pool, projected }: ProjectionInput): Projection {
  const weighted = Decimal.parse(points).mul(whole(weight));
  const share = pool === 0 ? Decimal.ZERO : whole(projected).div(whole(pool), 6, "halfUp");
  const everybody =
    projected === 0 ? undefined : weighted.mul(whole(pool)).div(whole(projected), 0, "halfUp").toString();
  return { weighted: weighted.toString(), share: share.toString(), everybody };
}
