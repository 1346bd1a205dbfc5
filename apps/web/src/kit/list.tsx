import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { groupDigits } from "../lib/format.ts";
import type { CursorPage, Pages } from "../lib/use-read.ts";
import { Button } from "./button.tsx";
import { Async } from "./states.tsx";
import { Table, type TableProps, VirtualTable } from "./table.tsx";

interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  /** How many grey bars are shown while it loads. */
  readonly loadingRows?: number;
  /** Of a list of many rows: only the visible ones are in the page. */
  readonly height?: string;
}

function ListTable<Row>({ height, ...table }: TableProps<Row> & Pick<ListProps<Row>, "height">) {
  return height === undefined ? <Table {...table} /> : <VirtualTable {...table} height={height} />;
}

interface QueryTableProps<Data, Row> extends ListProps<Row> {
  readonly query: UseQueryResult<Data>;
  readonly rowsOf: (data: Data) => readonly Row[];
  /** Below the table, unless it is empty. */
  readonly foot?: (data: Data) => ReactNode;
}

/** The rows of a query as a table, with its loading, failed and empty states. */
export function QueryTable<Data, Row>(props: QueryTableProps<Data, Row>) {
  const { query, rowsOf, foot, loadingRows = 6, isDense = false, ...table } = props;
  return (
    <Async query={query} rows={loadingRows} rowHeight={isDense ? 28 : 40}>
      {(data) => {
        const rows = rowsOf(data);
        return (
          <>
            <ListTable {...table} isDense={isDense} rows={rows} />
            {rows.length > 0 && foot?.(data)}
          </>
        );
      }}
    </Async>
  );
}

interface PagedTableProps<Row> extends ListProps<Row> {
  readonly query: Pages<CursorPage<Row>>;
}

/** A list that is read page by page, with a button for the next page. */
export function PagedTable<Row>({ query, keyOf, ...table }: PagedTableProps<Row>) {
  const rowsOf = ({ items }: CursorPage<Row>) => items;
  return (
    <QueryTable
      {...table}
      query={query}
      keyOf={keyOf}
      // A row can be on two pages when a new one has moved it down.
      rowsOf={({ pages }) => [...new Map(pages.flatMap(rowsOf).map((row, index) => [keyOf(row, index), row])).values()]}
      foot={({ pages }) => <PagesFoot shown={pages.flatMap(rowsOf).length} total={pages[0]?.total} query={query} />}
    />
  );
}

interface PagesFootProps {
  readonly shown: number;
  readonly total: number | undefined;
  readonly query: Pick<Pages<unknown>, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}

/** How many of all rows are shown, and the button that loads more. */
function PagesFoot({ shown, total, query }: PagesFootProps) {
  if (total === undefined && !query.hasNextPage) return null;
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 px-4 py-2 text-xs text-muted">
      <span className="num">
        {groupDigits(String(shown))}
        {total !== undefined && ` of ${groupDigits(String(total))}`} {total === 1 ? "row" : "rows"}
      </span>
      {query.hasNextPage && (
        <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Load more
        </Button>
      )}
    </div>
  );
}
