import assert from "node:assert/strict";

type Item = Readonly<Record<string, unknown>>;

interface ListBody {
  readonly items: readonly Item[];
  readonly total?: number;
  readonly next_cursor: string | null;
}

export interface ListReply {
  readonly status: number;
  readonly body: unknown;
}

/** One of our own lists, as its tests ask for it. */
export interface ListUnderTest {
  /** Reads a page by its parameters, such as `limit=2`. */
  readonly read: (query: string) => Promise<ListReply>;
  /** The name of its items in earlier releases. */
  readonly olderName: string;
  /** Tells its rows apart; a row may change while the list is read. */
  readonly idOf: (item: Item) => unknown;
}

/** A page, whose items are the same under both names. */
export async function readListPage({ read, olderName }: ListUnderTest, query: string): Promise<ListBody> {
  const { status, body } = await read(query);
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`);
  const page = body as ListBody & Readonly<Record<string, unknown>>;
  assert.deepEqual(page[olderName], page.items, `${olderName} and items`);
  return page;
}

/** All rows, page by page; `between` runs behind each page but the last. */
async function walkList(list: ListUnderTest, query: string, between: () => Promise<unknown>): Promise<Item[]> {
  const rows: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: ListBody = await readListPage(list, cursor === null ? query : `${query}&cursor=${cursor}`);
    if (page.total !== undefined) assert.equal(page.total === -1, cursor !== null, "the first page alone has a total");
    rows.push(...page.items);
    cursor = page.next_cursor;
    if (cursor !== null) await between();
  } while (cursor !== null);
  return rows;
}

/**
 * WIRE-8: walks the list while `add` adds a row behind its first page. Every row comes once and in order; the new one comes last
 * where the list ascends, and belongs to no page where the newest is first.
 */
export async function assertWalksOnce(
  list: ListUnderTest,
  add: () => Promise<unknown>,
  { limit = 2, filter = "", isNewestFirst = false } = {},
): Promise<void> {
  const whole = async () => (await readListPage(list, `${filter}limit=500`)).items.map(list.idOf);
  const before = await whole();
  assert.ok(before.length > limit, `${before.length} rows are several pages`);
  let isAdded = false;
  const rows = await walkList(list, `${filter}limit=${limit}`, async () => {
    if (!isAdded) await add();
    isAdded = true;
  });
  const after = await whole();
  assert.equal(after.length, before.length + 1, "a row was added");
  assert.deepEqual(rows.map(list.idOf), isNewestFirst ? before : after);
}

/** WIRE-2, WIRE-8: what is malformed is refused in the area's own words. */
export async function assertRefusesBadPages(
  { read }: Pick<ListUnderTest, "read">,
  codes: { readonly cursor: string; readonly limit: string },
): Promise<void> {
  const bad = [
    ...["x", "", "!!!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"].map((cursor) => [`cursor=${cursor}`, codes.cursor]),
    [`cursor=${"x".repeat(513)}`, codes.limit],
    ...["0", "-1", "1.5", "ten", ""].map((limit) => [`limit=${limit}`, codes.limit]),
  ];
  for (const [query = "", code] of bad) {
    const { status, body } = await read(query);
    assert.deepEqual([status, (body as Item)["code"]], [400, code], query);
  }
}
