import { type SelectQueryBuilder, sql } from "kysely";
import type { PageCursors } from "../../kernel/page-cursor.ts";
import { limitWithin, openWindow, type ResolvedWindow, type TimeWindow } from "../../kernel/windows.ts";
import { type Page, type Plain, plain } from "./records.ts";

export interface PageQuery extends TimeWindow {
  readonly market?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** Without a cursor; what is skipped is read all the same. */
  readonly offset?: number | undefined;
  readonly isDescending?: boolean | undefined;
}

/** A list of which pages are read. */
export interface PagedList<Tables, Table extends keyof Tables, Row> {
  /** Whose it is and what it was filtered by, besides time and order: a cursor holds for one list only. */
  readonly name: readonly (string | number)[];
  /** All of it, within this window. */
  select(window: ResolvedWindow): SelectQueryBuilder<Tables, Table, Row>;
  /** What it is ordered by: columns that together are unique, the time first, with their types. */
  readonly order: Readonly<Record<string, "bigint" | "integer" | "smallint">>;
}

const USUAL_ROWS = 100;
const MAX_ROWS = 500;

/** WIRE-8: a page of a list by time, from either end of it; each begins right behind the one before. */
export async function readPage<Tables, Table extends keyof Tables, Row extends object>(
  cursors: PageCursors,
  query: PageQuery,
  { name, select, order }: PagedList<Tables, Table, Row>,
): Promise<Page<Plain<Row>>> {
  const { cursor, isDescending = false } = query;
  const window = openWindow(query);
  const list = [...name, window.from_ms, window.to_ms, isDescending ? "desc" : "asc"];
  const after = cursor === undefined ? undefined : cursors.decode(list, cursor);
  const limit = limitWithin(query.limit, USUAL_ROWS, MAX_ROWS);
  const columns = Object.keys(order);
  const all = select(window);
  let page = all.limit(limit + 1);
  for (const column of columns) page = page.orderBy(sql.ref(column), isDescending ? "desc" : "asc");
  if (after !== undefined) {
    const place = Object.values(order).map((type, at) => sql`${after[at]}::${sql.raw(type)}`);
    const beyond = sql.raw(isDescending ? "<" : ">");
    page = page.where(
      sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) ${beyond} (${sql.join(place)})`,
    );
  } else if (query.offset !== undefined) page = page.offset(query.offset);
  const found = (await page.execute()).map((row) => plain(row as object) as Plain<Row>);
  const rows = found.slice(0, limit);
  const last = rows.at(-1) as Readonly<Record<string, number>> | undefined;
  const hasMore = found.length > limit && last !== undefined;
  const nextCursor = hasMore
    ? cursors.encode(
        list,
        columns.map((column) => last[column]!),
      )
    : null;
  if (cursor !== undefined) return { rows, total: -1, nextCursor };
  const counted = all.clearSelect().select(sql<bigint>`count(*)`.as("count"));
  const { count } = (await counted.executeTakeFirstOrThrow()) as { readonly count: bigint };
  return { rows, total: Number(count), nextCursor };
}
