import { sql } from "kysely";
import type { Db } from "../../apps/server/src/kernel/database/database.ts";
import { dayNumberOf } from "../../apps/server/src/kernel/dates.ts";
import { Epochs } from "../../apps/server/src/points/epochs.ts";

export const SCORED_WALLETS = 1_000_000;
export const epochs = new Epochs(Date.UTC(2026, 0, 5));
/** A Wednesday at noon. */
export const NOW_ms = Date.UTC(2026, 5, 3, 12);
export const DAY = dayNumberOf(NOW_ms);
export const EPOCH = epochs.of(NOW_ms);
export const SEASON_NO = 1;

/** Wallets spread like real ones, the same in every run. */
const WALLET = sql.raw(`'0x' || substr(encode(sha256(n::text::bytea), 'hex'), 1, 40)`);

/**
 * Few wallets have much and many have little, with ties: points of the day, times three for the epoch, times twenty for
 * the season.
 */
async function insertTotals(db: Db, scope: number, period: number, times: number): Promise<void> {
  await sql`
    insert into points_total (scope, period, address, points_micros, last_ms)
    select ${scope}::smallint, ${period}::int, ${WALLET},
      ${times}::bigint * (1 + 20000000000 / (1 + (n::bigint * 7919) % 100000)), ${NOW_ms}::bigint - (n::bigint * 31) % 40000000
    from generate_series(1, ${SCORED_WALLETS}::int) n
    order by 3`.execute(db);
}

/** A season of twelve epochs with a million wallets, all of which have scored today. */
export async function insertPoints(db: Db): Promise<void> {
  await sql`
    insert into points_season (id, season_no, label, start_epoch, end_epoch, user_pool_tokens, mm_pool_tokens, status,
      snapshot_at, distribution_at, created_at, updated_at)
    values (gen_random_uuid(), ${SEASON_NO}, 'Bench', ${EPOCH - 11}, ${EPOCH}, 1000000000, 0, 'active',
      ${new Date(epochs.end_ms(EPOCH))}, ${new Date(epochs.end_ms(EPOCH))}, now(), now())`.execute(db);
  await insertTotals(db, 0, DAY, 1);
  await insertTotals(db, 1, EPOCH, 3);
  await insertTotals(db, 2, SEASON_NO, 20);
  await sql`vacuum analyze points_total`.execute(db);
}
