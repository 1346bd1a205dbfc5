import { sql } from "kysely";
import { type PackedPage, readPacked } from "../packed-pages.ts";
import { type PointsDb, SCOPES, type Scope } from "../tables.ts";

/** Wallets with their totals, in the order of addresses. */
export interface TotalsPage {
  readonly count: number;
  readonly addresses: Buffer;
  readonly points_micros: BigInt64Array;
  readonly last_ms: BigInt64Array;
}

const BIGINT_bytes = 8;

/** The database sends big-endian integers. */
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

/** All totals of a period in the order of addresses, page by page, until the caller aborts. */
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
