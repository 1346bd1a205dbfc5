import { type SelectQueryBuilder, sql } from "kysely";
import { type Plain, plain } from "./database/plain-rows.ts";
import { badRequest } from "./errors.ts";
import type { PageCursors, Position } from "./page-cursor.ts";
import { limitWithin, openWindow, type ResolvedWindow, type TimeWindow } from "./windows.ts";

/** The part of a list that a client asks for. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** The row before the page, for lists whose clients may name it without a cursor. */
  readonly after?: Position | undefined;
}

/** A page of a list: `total` with the first one, −1 with the others (WIRE-8). */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly nextCursor: string | null;
}

/** The number of rows of a page: without a limit, and at most. */
export interface PageSize {
  readonly usual: number;
  readonly most: number;
}

const USUAL_SIZE: PageSize = { usual: 100, most: 500 };

/** A list in a fixed order, of which pages are read. */
export interface ListSource<Row> {
  /** Whose it is and what it was filtered by: a cursor is valid for one list only. */
  readonly name: readonly (string | number)[];
  readonly size?: PageSize;
  read(after: Position | undefined, limit: number): Promise<readonly Row[]>;
  count(): Promise<number>;
  /** What the list is ordered by, unique among its rows. */
  positionOf(row: Row): Position;
}

/** WIRE-8: a page of a list. Each begins right behind the last row of the one before, whatever was added meanwhile. */
export async function pageOf<Row>(
  cursors: PageCursors,
  { limit: wanted, cursor, after: named }: PageRequest,
  { name, size = USUAL_SIZE, read, count, positionOf }: ListSource<Row>,
): Promise<Page<Row>> {
  if (cursor !== undefined && named !== undefined) throw badRequest("give one place to begin at, by cursor or by name");
  const after = cursor === undefined ? named : cursors.decode(name, cursor);
  const limit = limitWithin(wanted, size.usual, size.most);
  const found = await read(after, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const nextCursor = found.length > limit && last !== undefined ? cursors.encode(name, positionOf(last)) : null;
  return { rows, total: after === undefined ? await count() : -1, nextCursor };
}

/** A page of a list by time, from either end of it. */
export interface TimedPageRequest extends PageRequest, TimeWindow {
  /** Without a cursor; what is skipped is read all the same. */
  readonly offset?: number | undefined;
  readonly isDescending?: boolean | undefined;
}

type ColumnType = "bigint" | "integer" | "smallint" | "text" | "timestamptz" | "uuid";

/** A list that is one query. */
export interface QueriedList<Tables, Table extends keyof Tables, Row> {
  /** As of a `ListSource`, without time and order. */
  readonly name: readonly (string | number)[];
  readonly size?: PageSize;
  /** All of it, within this window. */
  select(window: ResolvedWindow): SelectQueryBuilder<Tables, Table, Row>;
  /** What it is ordered by: columns that together are unique, the time first, with their types. */
  readonly order: Readonly<Record<string, ColumnType>>;
}

const positionPart = (value: unknown): string | number =>
  value instanceof Date ? value.getTime() : (value as string | number);

function columnValue(type: ColumnType, part: string | number | undefined): string | number | Date {
  if (part === undefined) throw new RangeError("the position has fewer parts than the list has columns");
  if (type === "text" || type === "uuid") return String(part);
  return type === "timestamptz" ? new Date(Number(part)) : Number(part);
}

/** The rows behind a position, or from the beginning on. */
export function selectAfter<Tables, Table extends keyof Tables, Row>(
  all: SelectQueryBuilder<Tables, Table, Row>,
  order: Readonly<Record<string, ColumnType>>,
  after: Position | undefined,
  isDescending: boolean,
): SelectQueryBuilder<Tables, Table, Row> {
  const columns = Object.entries(order);
  let rows = all;
  for (const [column] of columns) rows = rows.orderBy(sql.ref(column), isDescending ? "desc" : "asc");
  if (after === undefined) return rows;
  const place = columns.map(([, type], at) => sql`${columnValue(type, after[at])}::${sql.raw(type)}`);
  const beyond = sql.raw(isDescending ? "<" : ">");
  return rows.where(
    sql<boolean>`(${sql.join(columns.map(([column]) => sql.ref(column)))}) ${beyond} (${sql.join(place)})`,
  );
}

/** WIRE-8: a page of a list that is one query. */
export function readPage<Tables, Table extends keyof Tables, Row extends object>(
  cursors: PageCursors,
  request: TimedPageRequest,
  { name, size, select, order }: QueriedList<Tables, Table, Row>,
): Promise<Page<Plain<Row>>> {
  const { isDescending = false, offset } = request;
  const window = openWindow(request);
  const all = select(window);
  return pageOf(cursors, request, {
    name: [...name, window.from_ms, window.to_ms, isDescending ? "desc" : "asc"],
    ...(size === undefined ? {} : { size }),
    async read(after, limit) {
      let page = selectAfter(all, order, after, isDescending).limit(limit);
      if (after === undefined && offset !== undefined) page = page.offset(offset);
      return (await page.execute()).map((row) => plain(row as object) as Plain<Row>);
    },
    async count() {
      const counted = all.clearSelect().select(sql<bigint>`count(*)`.as("count"));
      const { count } = (await counted.executeTakeFirstOrThrow()) as { readonly count: bigint };
      return Number(count);
    },
    positionOf: (row) =>
      Object.keys(order).map((column) => positionPart((row as Readonly<Record<string, unknown>>)[column])),
  });
}

/** One of our own lists as clients get it. */
export interface PageReply<Item> {
  readonly items: Item[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** WIRE-8: a page of one of our own lists. Clients of earlier releases find its items under the list's older name. */
export function pageReply<Row, Item>(
  { rows, total, nextCursor }: Page<Row>,
  view: (row: Row) => Item,
  olderName?: string,
): PageReply<Item> {
  const items = rows.map(view);
  const older: object = olderName === undefined ? {} : { [olderName]: items };
  return { ...older, items, total, next_cursor: nextCursor };
}

/** A short list, whole in one reply. */
export const wholeReply = <Item>(rows: readonly Item[], olderName?: string): PageReply<Item> =>
  pageReply({ rows, total: rows.length, nextCursor: null }, (row) => row, olderName);
