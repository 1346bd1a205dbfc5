import { Link } from "@tanstack/react-router";
import { cx } from "../../lib/cx.ts";

interface SymbolCellProps {
  readonly symbol: string;
  /** What the row is about: colours its edge. */
  readonly side?: "BUY" | "SELL" | "LONG" | "SHORT";
}

/** Leads to the market. */
export function SymbolCell({ symbol, side }: SymbolCellProps) {
  const isUp = side === "BUY" || side === "LONG";
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      {side !== undefined && (
        <span aria-hidden="true" className={cx("h-4 w-0.5 rounded-full", isUp ? "bg-up" : "bg-down")} />
      )}
      <Link to="/trade/$symbol" params={{ symbol }} className="font-medium hover:text-accent">
        {symbol}
      </Link>
    </span>
  );
}

export function SideWord({ side }: { readonly side: "BUY" | "SELL" }) {
  return <span className={side === "BUY" ? "text-up" : "text-down"}>{side === "BUY" ? "Buy" : "Sell"}</span>;
}
