import { sql } from "kysely";
import { type PackedPage, readPacked } from "../packed-pages.ts";
import { type PointsDb, SCOPES, type Scope } from "../tables.ts";

/** Some wallets in the order of their addresses, with their totals. */
export interface TotalsPage {
  readonly count: number;
  readonly addresses: Buffer;
  readonly points_micros: BigInt64Array;
  readonly last_ms: BigInt64Array;
}

const BIGINT_bytes = 8;

/** The database sends the high byte first. */
function wholeNumbers(bytes: Buffer): BigInt64Array {
  const numbers = new BigInt64Array(bytes.length / BIGINT_bytes);
  Buffer.from(numbers.buffer).set(bytes.swap64());
  return numbers;
}

function totalsPage({ count, addresses, columns }: PackedPage): TotalsPage {
  const [points_micros, last_ms] = columns.map(wholeNumbers);
  if (points_micros?.length !== count || last_ms?.length !== count) throw new Error("a page of totals has holes");
  return { count, addresses, points_micros, last_ms };
}

/** All totals of a time in the order of addresses, a page at a time, unless whoever wants them gives up. */
export async function* readTotals(
  db: PointsDb,
  scope: Scope,
  period: number,
  signal?: AbortSignal,
): AsyncGenerator<TotalsPage, void> {
  const of = sql`(${SCOPES[scope]}::smallint, ${period}::int)`;
  const pages = readPacked(db, (after, limit) => ({
    rows: sql`
      select address, points_micros, last_ms from points_total
      where (scope, period, address) > (${SCOPES[scope]}::smallint, ${period}::int, ${after}) and (scope, period) <= ${of}
      order by scope, period, address limit ${limit}::int`,
    columns: [sql`int8send(points_micros)`, sql`int8send(last_ms)`],
  }));
  for await (const page of pages) {
    signal?.throwIfAborted();
    yield totalsPage(page);
  }
}
