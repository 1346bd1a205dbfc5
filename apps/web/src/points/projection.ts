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
   * All weighted points that give that share. The exchange states whole tokens only, so this is approximate;
   * undefined where the share is 0.
   */
  readonly all: string | undefined;
}

const whole = (value: number): Decimal => Decimal.parse(String(value));

/** PTS-5 in reverse: the parts of `tokens = pool × own ÷ all` for the projected number. */
export function projectionOf({ points, weight, pool, projected }: ProjectionInput): Projection {
  const weighted = Decimal.parse(points).mul(whole(weight));
  const share = pool === 0 ? Decimal.ZERO : whole(projected).div(whole(pool), 6, "halfUp");
  const all = projected === 0 ? undefined : weighted.mul(whole(pool)).div(whole(projected), 0, "halfUp").toString();
  return { weighted: weighted.toString(), share: share.toString(), all };
}
