/** Interface 2.13: whole points, both bounds inclusive; level 5 has no upper one. */
export interface Level {
  readonly level: number;
  readonly points_min: number;
  readonly points_max: number | null;
  /** The factor by which the points of a season are multiplied. */
  readonly weight: number;
}

export const LAST_LEVEL = 5;

const MICROS_PER_POINT = 1_000_000;

/** The whole points, rounded down. Dividing a float first could round up. */
const wholePoints = (points_micros: bigint | number): number =>
  typeof points_micros === "bigint"
    ? Number(points_micros / BigInt(MICROS_PER_POINT))
    : (points_micros - (points_micros % MICROS_PER_POINT)) / MICROS_PER_POINT;

/** T10: the level of a non-negative number of points (micros), by their floor. `levels` must be complete and in order. */
export function levelOf(levels: readonly Level[], points_micros: bigint | number): Level {
  const points = wholePoints(points_micros);
  const level = levels.findLast(({ points_min }) => points_min <= points);
  if (level === undefined) throw new RangeError(`no level holds ${points} points`);
  return level;
}
