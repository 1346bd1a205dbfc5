import { type Insertable, type Selectable, sql } from "kysely";
import { readNoted } from "../../kernel/engine-requests/noted-rows.ts";
import { type Notes, SEASON_ROWS } from "../noted.ts";
import { type PointsDb, type PointsSeasonTable, type PointsTx, SCOPES } from "../tables.ts";

export type Season = Selectable<PointsSeasonTable>;
export type NewSeason = Insertable<PointsSeasonTable>;
export type SeasonChange = Partial<Omit<NewSeason, "id" | "created_at">>;

/** Ordered by number. */
export const listSeasons = (db: PointsDb): Promise<Season[]> =>
  db.selectFrom("points_season").selectAll().orderBy("season_no").execute();

export const findSeason = (db: PointsDb, id: string): Promise<Season | undefined> =>
  db.selectFrom("points_season").selectAll().where("id", "=", id).executeTakeFirst();

/** Locks the season until the transaction ends. */
export const lockSeason = (tx: PointsTx, id: string): Promise<Season | undefined> =>
  tx.selectFrom("points_season").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();

/** The season of an epoch, in any status. */
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

/** LOG-3: to be called after every change of a season. */
export async function noteSeason(notes: Notes, tx: PointsTx, id: string): Promise<void> {
  await notes.note(tx, SEASON_ROWS, await readNoted(tx, SEASON_ROWS, sql`one.id = ${id}`));
}

/** Replaces the season's totals by the sums of its epochs; `previous_no` is its number before the change. */
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
