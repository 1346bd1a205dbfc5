import type { ReactNode } from "react";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { SideWord, SymbolCell } from "./symbol-cell.tsx";
import { typeWords } from "./words.ts";

interface PlacedOrder {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly created_time: number;
}

/** When, where and as what an order was placed. */
export const placedColumns = <Row extends PlacedOrder>(badges: (row: Row) => ReactNode): readonly Column<Row>[] => [
  ["Time", (row) => <Time at={row.created_time} precision="second" />, "secondary"],
  ["Market", (row) => <SymbolCell symbol={row.symbol} side={row.side} />],
  ["Side", (row) => <SideWord side={row.side} />],
  [
    "Type",
    (row) => (
      <span className="inline-flex items-center gap-1.5">
        {typeWords(row.type)}
        {badges(row)}
      </span>
    ),
  ],
];
