import type { AccountPosition } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Num, Signed } from "../../kit/number.tsx";
import { EmptyState } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { cx } from "../../lib/cx.ts";

const COLUMNS: readonly Column<AccountPosition>[] = [
  {
    key: "symbol",
    title: "Market",
    cell: ({ symbol, side, leverage, margin_mode }) => (
      <span className="flex items-baseline gap-2">
        <Link to="/trade/$symbol" params={{ symbol }} className="font-medium hover:underline">
          {symbol}
        </Link>
        <span className={cx("text-xs", side === "LONG" ? "text-up" : "text-down")}>
          {side === "LONG" ? "Long" : "Short"} {leverage}×
        </span>
        <span className="text-xs text-faint max-sm:hidden">{margin_mode}</span>
      </span>
    ),
  },
  { key: "quantity", title: "Size", isNumber: true, cell: ({ quantity }) => <Num value={quantity} /> },
  {
    key: "entry",
    title: "Entry",
    isNumber: true,
    isSecondary: true,
    cell: ({ entry_price }) => <Num value={entry_price} />,
  },
  {
    key: "mark",
    title: "Mark",
    isNumber: true,
    isSecondary: true,
    cell: ({ mark_price }) => <Num value={mark_price} />,
  },
  {
    key: "liquidation",
    title: "Liquidation",
    isNumber: true,
    isSecondary: true,
    cell: ({ liquidation_price }) => <Num value={liquidation_price} decimals={2} />,
  },
  {
    key: "notional",
    title: "Value, USDT",
    isNumber: true,
    isSecondary: true,
    cell: ({ notional }) => <Num value={notional} decimals={2} />,
  },
  {
    key: "pnl",
    title: "PnL, USDT",
    isNumber: true,
    cell: ({ unrealized_pnl }) => <Signed value={unrealized_pnl} />,
  },
];

export function OpenPositions({ positions }: { readonly positions: readonly AccountPosition[] }) {
  return (
    <Table
      label="Open positions"
      rows={positions}
      keyOf={({ symbol }) => symbol}
      columns={COLUMNS}
      empty={
        <EmptyState
          title="No open positions"
          action={
            <Link to="/trade" className="text-sm text-accent hover:underline">
              To the markets
            </Link>
          }
        >
          What you open shows here with its profit and loss.
        </EmptyState>
      }
    />
  );
}
