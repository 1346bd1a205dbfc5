import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { PointsDb, PointsTx } from "./tables.ts";

/*
 * Rows of very many wallets, packed by the database into one value per column and page: a million separate rows would block the
 * event loop for seconds.
 */

export const ADDRESS_bytes = 20;
/** The number of rows that are read and unpacked within a few milliseconds. */
const ROWS_PER_PAGE = 10_000;

/** Addresses in order, and one or two more columns in the same order. */
export interface PackedPage {
  readonly count: number;
  readonly addresses: Buffer;
  readonly columns: readonly Buffer[];
}

export interface PackedQuery {
  /**
   * The next rows in the order of addresses: at most `limit` after `after`. The comparison uses the whole key, so that the planner
   * reads the index in order even without statistics.
   */
  readonly rows: RawBuilder<unknown>;
  /** The columns beside the address, as bytes of constant length. */
  readonly columns: readonly RawBuilder<unknown>[];
}

interface PageRow {
  readonly count: number;
  readonly last: string | null;
  readonly addresses: Buffer | null;
  readonly [column: `column_${number}`]: Buffer | null;
}

/** The aggregate takes its rows in the order of the subquery; sorting again for each column would double the time. */
const packed = (bytes: RawBuilder<unknown>) => sql`string_agg(${bytes}, ''::bytea)`;

/** Readers of the pages rely on the order. */
function assertInOrder(addresses: Buffer): void {
  for (let at = ADDRESS_bytes; at < addresses.length; at += ADDRESS_bytes) {
    const order = addresses.compare(addresses, at, at + ADDRESS_bytes, at - ADDRESS_bytes, at);
    if (order >= 0) throw new Error("packed addresses are not in order");
  }
}

/** All rows of a query, page by page. */
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

/** Concatenates the same column of many pages, in several turns because it may have tens of megabytes. */
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

/** The index of an address among packed, ordered ones; -1 if it is missing. */
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
