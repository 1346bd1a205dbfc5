import type { AccountOrder, AccountTrade } from "@bourse/api/client";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../kit/button.tsx";
import { Num, Signed } from "../../kit/number.tsx";
import { Badge } from "../../kit/panel.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { useOrderHistory, useTradeHistory } from "./queries.ts";
import { SideWord, SymbolCell } from "./symbol-cell.tsx";
import { causeWords, endReason, statusWords, typeWords } from "./words.ts";
import { Written } from "./written.tsx";

const isZero = (text: string) => Decimal.parse(text).isZero();

interface PagesProps<Page, Row> {
  readonly label: string;
  readonly query: UseInfiniteQueryResult<InfiniteData<Page>>;
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
}

/** A list that is read page by page, the newest first. */
function Pages<Page, Row>({ label, query, rowsOf, columns, keyOf, empty }: PagesProps<Page, Row>) {
  if (query.data === undefined) {
    return query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton rows={6} label={`Loading ${label.toLowerCase()}`} />
    );
  }
  // A row can stand on two pages where something new has pushed it along.
  const rows = [...new Map(query.data.pages.flatMap(rowsOf).map((row) => [keyOf(row), row])).values()];
  return (
    <>
      <Table label={label} columns={columns} rows={rows} keyOf={keyOf} isDense empty={empty} />
      {query.hasNextPage && (
        <div className="flex justify-center py-2">
          <Button size="small" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}

const ORDER_COLUMNS: readonly Column<AccountOrder>[] = [
  { key: "time", title: "Time", cell: (row) => <Time at={row.created_time} precision="second" /> },
  { key: "symbol", title: "Market", cell: (row) => <SymbolCell symbol={row.symbol} side={row.side} /> },
  { key: "side", title: "Side", cell: (row) => <SideWord side={row.side} /> },
  { key: "type", title: "Type", cell: (row) => typeWords(row.type) },
  {
    key: "price",
    title: "Price",
    isNumber: true,
    cell: (row) => (isZero(row.price) ? <span className="text-muted">market</span> : <Written value={row.price} />),
  },
  {
    key: "trigger",
    title: "Trigger",
    isNumber: true,
    isSecondary: true,
    cell: (row) => <Written value={row.stop_price} />,
  },
  {
    key: "average",
    title: "Average",
    isNumber: true,
    cell: (row) => <Written value={isZero(row.average_price) ? null : row.average_price} />,
  },
  {
    key: "filled",
    title: "Filled / size",
    isNumber: true,
    cell: (row) => (
      <>
        <Written value={row.executed_quantity} /> / <Written value={row.quantity} />
      </>
    ),
  },
  {
    key: "status",
    title: "Status",
    cell: (row) => (
      <span className="inline-flex items-center gap-1.5" title={endReason(row.reason)}>
        <span>{statusWords(row.status)}</span>
        {row.reduce_only && <Badge>reduce-only</Badge>}
      </span>
    ),
  },
  {
    key: "reason",
    title: "Why",
    isSecondary: true,
    cell: (row) => <span className="text-muted">{endReason(row.reason)}</span>,
  },
];

const TRADE_COLUMNS: readonly Column<AccountTrade>[] = [
  { key: "time", title: "Time", cell: (row) => <Time at={row.time} precision="second" /> },
  { key: "symbol", title: "Market", cell: (row) => <SymbolCell symbol={row.symbol} side={row.side} /> },
  { key: "side", title: "Side", cell: (row) => <SideWord side={row.side} /> },
  { key: "price", title: "Price", isNumber: true, cell: (row) => <Written value={row.price} /> },
  { key: "quantity", title: "Size", isNumber: true, cell: (row) => <Written value={row.quantity} /> },
  {
    key: "value",
    title: "Value",
    isNumber: true,
    isSecondary: true,
    cell: (row) => <Num value={row.value} decimals={2} />,
  },
  {
    key: "fee",
    title: "Fee",
    isNumber: true,
    cell: (row) => <Num value={row.fee} decimals={4} rounding="ceil" />,
  },
  {
    key: "pnl",
    title: "Realised",
    isNumber: true,
    cell: (row) => (isZero(row.realized_pnl) ? <Num value={null} /> : <Signed value={row.realized_pnl} />),
  },
  {
    key: "role",
    title: "Role",
    cell: (row) => (
      <span className="inline-flex items-center gap-1.5">
        <span>{row.is_maker ? "Maker" : "Taker"}</span>
        {row.cause !== "trade" && <Badge tone="warn">{causeWords(row.cause)}</Badge>}
      </span>
    ),
  },
];

interface HistoryTabProps {
  /** Undefined for all markets. */
  readonly symbol: string | undefined;
}

export function OrderHistoryTab({ symbol }: HistoryTabProps) {
  return (
    <Pages
      label="Order history"
      query={useOrderHistory(symbol)}
      rowsOf={({ orders }) => orders}
      columns={ORDER_COLUMNS}
      keyOf={({ id }) => String(id)}
      empty={<EmptyState title="No orders yet">Every order is kept here with what became of it.</EmptyState>}
    />
  );
}

export function TradeHistoryTab({ symbol }: HistoryTabProps) {
  return (
    <Pages
      label="Trade history"
      query={useTradeHistory(symbol)}
      rowsOf={({ trades }) => trades}
      columns={TRADE_COLUMNS}
      keyOf={({ symbol: market, id, order_id }) => `${market}-${id}-${order_id}`}
      empty={<EmptyState title="No trades yet">Every fill is kept here with its fee and what it realised.</EmptyState>}
    />
  );
}
