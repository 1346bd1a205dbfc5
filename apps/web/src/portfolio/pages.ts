import type { CursorPage } from "../lib/use-read.ts";

/** Enough for more than a year of hours; of a longer past the newest part is shown. */
const MAX_PAGES = 20;

/** All rows of a list that is read page by page. */
export async function readPages<Row>(read: (cursor: string | undefined) => Promise<CursorPage<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page = await read(cursor);
    rows.push(...page.items);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return rows;
}
