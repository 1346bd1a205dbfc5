import type { AccountOrder, AccountTrade } from "@bourse/api/client";
import { PagedTable } from "../../kit/list.tsx";
import { Num, Signed } from "../../kit/number.tsx";
import { Badge } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { Decimal } from "../../lib/decimal.ts";
import { useOrderHistory, useTradeHistory } from "./queries.ts";
import { SideWord, SymbolCell } from "./symbol-cell.tsx";
import { causeWords, endReason, statusWords, typeWords } from "./words.ts";
import { Written } from "./written.tsx";

const isZero = (text: string) => Decimal.parse(text).isZero();

const ORDER_COLUMNS: readonly Column<AccountOrder>[] = [
  ["Time", (row) => <Time at={row.created_time} precision="second" />],
  ["Market", (row) => <SymbolCell symbol={row.symbol} side={row.side} />],
  ["Side", (row) => <SideWord side={row.side} />],
  ["Type", (row) => typeWords(row.type)],
  [
    "Price",
    (row) => (isZero(row.price) ? <span className="text-muted">market</span> : <Written value={row.price} />),
    "number",
  ],
  ["Trigger", (row) => <Written value={row.stop_price} />, "number", "secondary"],
  ["Average", (row) => <Written value={isZero(row.average_price) ? null : row.average_price} />, "number"],
  [
    "Filled / size",
    (row) => (
      <>
        <Written value={row.executed_quantity} /> / <Written value={row.quantity} />
      </>
    ),
    "number",
  ],
  [
    "Status",
    (row) => (
      <span className="inline-flex items-center gap-1.5" title={endReason(row.reason)}>
        <span>{statusWords(row.status)}</span>
        {row.reduce_only && <Badge>reduce-only</Badge>}
      </span>
    ),
  ],
  ["Why", (row) => <span className="text-muted">{endReason(row.reason)}</span>, "secondary"],
];

const TRADE_COLUMNS: readonly Column<AccountTrade>[] = [
  ["Time", (row) => <Time at={row.time} precision="second" />],
  ["Market", (row) => <SymbolCell symbol={row.symbol} side={row.side} />],
  ["Side", (row) => <SideWord side={row.side} />],
  ["Price", (row) => <Written value={row.price} />, "number"],
  ["Size", (row) => <Written value={row.quantity} />, "number"],
  ["Value", (row) => <Num value={row.value} decimals={2} />, "number", "secondary"],
  ["Fee", (row) => <Num value={row.fee} decimals={4} rounding="ceil" />, "number"],
  [
    "Realised",
    (row) => (isZero(row.realized_pnl) ? <Num value={null} /> : <Signed value={row.realized_pnl} />),
    "number",
  ],
  [
    "Role",
    (row) => (
      <span className="inline-flex items-center gap-1.5">
        <span>{row.is_maker ? "Maker" : "Taker"}</span>
        {row.cause !== "trade" && <Badge tone="warn">{causeWords(row.cause)}</Badge>}
      </span>
    ),
  ],
];

interface HistoryTabProps {
  /** Undefined for all markets. */
  readonly symbol: string | undefined;
}

export function OrderHistoryTab({ symbol }: HistoryTabProps) {
  return (
    <PagedTable
      isDense
      label="Order history"
      query={useOrderHistory(symbol)}
      columns={ORDER_COLUMNS}
      keyOf={({ id }) => String(id)}
      empty={<EmptyState title="No orders yet">Every order is kept here with its outcome.</EmptyState>}
    />
  );
}

export function TradeHistoryTab({ symbol }: HistoryTabProps) {
  return (
    <PagedTable
      isDense
      label="Trade history"
      query={useTradeHistory(symbol)}
      columns={TRADE_COLUMNS}
      keyOf={({ symbol: market, id, order_id }) => `${market}-${id}-${order_id}`}
      empty={<EmptyState title="No trades yet">Every fill is kept here with its fee and realised PnL.</EmptyState>}
    />
  );
}
