import { type RawBuilder, sql } from "kysely";
import type { PointsDb, PointsTx } from "./tables.ts";

/*
 * Rows of very many wallets, packed by the database into one value a page: as rows a million of them would take the
 * event loop seconds to be read.
 */

export const ADDRESS_bytes = 20;
/** A page of them is read in a few milliseconds. */
const ROWS_PER_PAGE = 20_000;

export interface PackedQuery {
  /** The next rows in the order of their addresses: those after `after`, at most `limit`. */
  readonly rows: RawBuilder<unknown>;
  /** What stands behind the address of each, as bytes. */
  readonly packed: RawBuilder<unknown>;
}

/** Pages of packed rows; each row is its address (20 bytes) and what is packed, `row_bytes` in all. */
export async function* readPacked(
  db: PointsDb | PointsTx,
  row_bytes: number,
  query: (after: string, limit: number) => PackedQuery,
): AsyncGenerator<Buffer, void> {
  let after = "";
  for (;;) {
    const { rows, packed } = query(after, ROWS_PER_PAGE);
    const found = await sql<{ page: Buffer | null; last: string | null }>`
      select string_agg(decode(substr(address, 3), 'hex') || ${packed}, ''::bytea order by address) as page,
        max(address) as last
      from (${rows}) as wallets`.execute(db);
    const { page, last } = found.rows[0] ?? { page: null, last: null };
    if (page === null || last === null) return;
    if (page.length % row_bytes !== 0) throw new Error(`${page.length} bytes are no whole number of rows`);
    yield page;
    if (page.length < ROWS_PER_PAGE * row_bytes) return;
    after = last;
  }
}

/** An address as it is packed. */
export const packedAddress = (address: string): Buffer => Buffer.from(address.slice(2), "hex");
export const addressText = (addresses: Buffer, index: number): string =>
  `0x${addresses.toString("hex", index * ADDRESS_bytes, (index + 1) * ADDRESS_bytes)}`;

/** Where an address stands among packed ones in their own order; -1 where there is none. */
export function indexOfAddress(addresses: Buffer, address: string): number {
  const wanted = packedAddress(address);
  let low = 0;
  let high = addresses.length / ADDRESS_bytes;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * ADDRESS_bytes;
    const order = addresses.compare(wanted, 0, ADDRESS_bytes, at, at + ADDRESS_bytes);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}
