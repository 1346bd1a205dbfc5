import type { Level } from "../scoring/levels.ts";
import type { PointsDb } from "../tables.ts";

/** All levels, straight from the table. */
export async function readLevels(db: PointsDb): Promise<readonly Level[]> {
  const rows = await db.selectFrom("points_level").selectAll().orderBy("level").execute();
  return rows.map(({ level, points_min, points_max, weight }) => ({
    level,
    points_min: Number(points_min),
    points_max: points_max === null ? null : Number(points_max),
    weight,
  }));
}
