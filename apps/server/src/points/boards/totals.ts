import { sql } from "kysely";
import { ADDRESS_bytes, readPacked } from "../packed-pages.ts";
import { type PointsDb, SCOPES, type Scope } from "../tables.ts";

/** Address, points and last scoring time. */
export const TOTAL_bytes = ADDRESS_bytes + 2 * 8;

/** All totals of a time in the order of addresses, packed, a page at a time. */
export const readTotals = (db: PointsDb, scope: Scope, period: number): AsyncGenerator<Buffer, void> =>
  readPacked(db, TOTAL_bytes, (after, limit) => ({
    rows: sql`
      select address, points_micros, last_ms from points_total
      where scope = ${SCOPES[scope]}::smallint and period = ${period}::int and address > ${after}
      order by address limit ${limit}::int`,
    packed: sql`int8send(points_micros) || int8send(last_ms)`,
  }));

/** Of the row that begins at `at`. */
export const readPoints_micros = (page: Buffer, at: number): bigint => page.readBigInt64BE(at + ADDRESS_bytes);
export const readLast_ms = (page: Buffer, at: number): number => Number(page.readBigInt64BE(at + ADDRESS_bytes + 8));
