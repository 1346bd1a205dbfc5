import { type Insertable, type Selectable, sql } from "kysely";
import { type PointsDb, type PointsSeasonTable, type PointsTx, SCOPES } from "../tables.ts";

export type Season = Selectable<PointsSeasonTable>;
export type NewSeason = Insertable<PointsSeasonTable>;
export type SeasonChange = Partial<Omit<NewSeason, "id" | "created_at">>;

/**
 * Held by whoever changes a season until its transaction ends, and taken before POINTS_BOOKS: a snapshot of very many wallets
 * takes a while, in which scoring goes on.
 */
export const SEASONS = "points-seasons";

/** In the order of their numbers. */
export const listSeasons = (db: PointsDb): Promise<Season[]> =>
  db.selectFrom("points_season").selectAll().orderBy("season_no").execute();

export const findSeason = (db: PointsDb, id: string): Promise<Season | undefined> =>
  db.selectFrom("points_season").selectAll().where("id", "=", id).executeTakeFirst();

/** Nobody else changes it until the transaction ends. */
export const lockSeason = (tx: PointsTx, id: string): Promise<Season | undefined> =>
  tx.selectFrom("points_season").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();

/** The season that an epoch belongs to, whatever its status. */
export const seasonOfEpoch = (db: PointsDb, epoch: number): Promise<Season | undefined> =>
  db
    .selectFrom("points_season")
    .selectAll()
    .where("start_epoch", "<=", epoch)
    .where("end_epoch", ">=", epoch)
    .executeTakeFirst();

export async function writeSeason(tx: PointsTx, id: string, change: SeasonChange): Promise<Season> {
  return await tx
    .updateTable("points_season")
    .set(change)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** What the points of its epochs add up to becomes what the season has; `previous_no` is the number it had before. */
export async function rebuildSeasonTotals(
  tx: PointsTx,
  { season_no, start_epoch, end_epoch }: Pick<Season, "season_no" | "start_epoch" | "end_epoch">,
  previous_no = season_no,
): Promise<void> {
  await tx
    .deleteFrom("points_total")
    .where("scope", "=", SCOPES.season)
    .where("period", "in", [season_no, previous_no])
    .execute();
  await sql`
    insert into points_total (scope, period, address, points_micros, last_ms)
    select ${SCOPES.season}::smallint, ${season_no}::int, address, sum(points_micros)::bigint, max(last_ms)
    from points_total
    where scope = ${SCOPES.epoch}::smallint and period between ${start_epoch}::int and ${end_epoch}::int
    group by address
    order by address`.execute(tx);
}
