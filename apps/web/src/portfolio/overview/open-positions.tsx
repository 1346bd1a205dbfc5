import type { AccountPosition } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Num, Signed } from "../../kit/number.tsx";
import { EmptyState } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { cx } from "../../lib/cx.ts";

const COLUMNS: readonly Column<AccountPosition>[] = [
  [
    "Market",
    ({ symbol, side, leverage, margin_mode }) => (
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
  ],
  ["Size", ({ quantity }) => <Num value={quantity} />, "number"],
  ["Entry", ({ entry_price }) => <Num value={entry_price} />, "number", "secondary"],
  ["Mark", ({ mark_price }) => <Num value={mark_price} />, "number", "secondary"],
  ["Liquidation", ({ liquidation_price }) => <Num value={liquidation_price} decimals={2} />, "number", "secondary"],
  ["Value, USDT", ({ notional }) => <Num value={notional} decimals={2} />, "number", "secondary"],
  ["PnL, USDT", ({ unrealized_pnl }) => <Signed value={unrealized_pnl} />, "number"],
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
          Positions you open are listed here with their profit and loss.
        </EmptyState>
      }
    />
  );
}
