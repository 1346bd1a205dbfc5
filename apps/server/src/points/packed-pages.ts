import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { PointsDb, PointsTx } from "./tables.ts";

/*
 * Rows of very many wallets, packed by the database into one value for each column of a page: as rows a million of them
 * would hold the event loop up for seconds.
 */

export const ADDRESS_bytes = 20;
/** So many are read and taken apart within a few milliseconds. */
const ROWS_PER_PAGE = 10_000;

/** Some wallets in the order of their addresses, and beside the addresses one more column or two, in the same order. */
export interface PackedPage {
  readonly count: number;
  readonly addresses: Buffer;
  readonly columns: readonly Buffer[];
}

export interface PackedQuery {
  /**
   * The next rows in the order of their addresses: those after `after`, at most `limit`. Compared by the whole key, which
   * the planner reads from the index in order even of a table that it knows nothing of yet.
   */
  readonly rows: RawBuilder<unknown>;
  /** What stands beside the address: columns of bytes, always as many. */
  readonly columns: readonly RawBuilder<unknown>[];
}

interface PageRow {
  readonly count: number;
  readonly last: string | null;
  readonly addresses: Buffer | null;
  readonly [column: `column_${number}`]: Buffer | null;
}

/** An aggregate takes its rows as the query below it orders them; sorting them again for each column would double the time. */
const packed = (bytes: RawBuilder<unknown>) => sql`string_agg(${bytes}, ''::bytea)`;

/** Whoever reads the pages relies on it. */
function assertInOrder(addresses: Buffer): void {
  for (let at = ADDRESS_bytes; at < addresses.length; at += ADDRESS_bytes) {
    const order = addresses.compare(addresses, at, at + ADDRESS_bytes, at - ADDRESS_bytes, at);
    if (order >= 0) throw new Error("packed addresses are not in order");
  }
}

/** All rows of a query, a page at a time. */
export async function* readPacked(
  db: PointsDb | PointsTx,
  query: (after: string, limit: number) => PackedQuery,
): AsyncGenerator<PackedPage, void> {
  let after = "";
  for (;;) {
    const { rows, columns } = query(after, ROWS_PER_PAGE);
    const named = columns.map((bytes, at) => sql`${packed(bytes)} as ${sql.ref(`column_${at}`)}`);
    const found = await sql<PageRow>`
      select count(*)::int as count, max(address) as last, ${packed(sql`decode(substr(address, 3), 'hex')`)} as addresses,
        ${sql.join(named)}
      from (${rows}) as wallets`.execute(db);
    const [page] = found.rows;
    if (page === undefined || page.addresses === null || page.last === null) return;
    const values = columns.map((_, at) => page[`column_${at}`] ?? Buffer.alloc(0));
    assertInOrder(page.addresses);
    yield { count: page.count, addresses: page.addresses, columns: values };
    if (page.count < ROWS_PER_PAGE) return;
    after = page.last;
  }
}

/** The same column of many pages in one piece: tens of megabytes that are not copied in one go. */
export async function joined(parts: readonly Uint8Array[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0));
  let filled = 0;
  for (const part of parts) {
    whole.set(part, filled);
    filled += part.length;
    await nextTurn();
  }
  return whole;
}

export const addressText = (addresses: Buffer, index: number): string =>
  `0x${addresses.toString("hex", index * ADDRESS_bytes, (index + 1) * ADDRESS_bytes)}`;

/** Where an address stands among packed ones in their own order; -1 where there is none. */
export function indexOfAddress(addresses: Buffer, address: string): number {
  const wanted = Buffer.from(address.slice(2), "hex");
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
