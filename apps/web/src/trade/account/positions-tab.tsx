import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Badge } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { CloseDialog } from "./close-dialog.tsx";
import { IsolatedMarginDialog } from "./isolated-margin-dialog.tsx";
import type { Position } from "./margin.ts";
import type { WaitingOrder } from "./orders-model.ts";
import { Margin, Mark, Pnl, Price, Size, Triggers } from "./position-figures.tsx";
import { Rows } from "./rows.tsx";
import { SymbolCell } from "./symbol-cell.tsx";
import { TriggersDialog } from "./triggers-dialog.tsx";

interface PositionsTabProps {
  readonly positions: readonly Position[];
  readonly waiting: readonly WaitingOrder[];
  /** The market that is shown: its positions can be taken over into the ticket. */
  readonly symbol: string;
  /** Maintenance / balance of the account. */
  readonly crossRatio: string;
}

const DIALOGS = { close: CloseDialog, triggers: TriggersDialog, margin: IsolatedMarginDialog };
type Task = { readonly kind: keyof typeof DIALOGS; readonly symbol: string };

/** What is held, with what can be done about it. */
export function PositionsTab({ positions, waiting, symbol, crossRatio }: PositionsTabProps) {
  const [task, setTask] = useState<Task>();
  const concerned = positions.find((position) => position.symbol === task?.symbol);
  const Asked = task && DIALOGS[task.kind];
  const columns: readonly Column<Position>[] = [
    [
      "Market",
      (row) => (
        <span className="inline-flex items-center gap-2">
          <SymbolCell symbol={row.symbol} side={row.side} />
          <Badge>
            {row.leverage}× {row.margin_mode}
          </Badge>
        </span>
      ),
    ],
    ["Size", (row) => <Size position={row} isShown={row.symbol === symbol} />, "number"],
    ["Entry", (row) => <Price symbol={row.symbol} value={row.entry_price} />, "number"],
    ["Mark", (row) => <Mark position={row} />, "number"],
    [
      "Liq. price",
      (row) => (
        <span className="text-warn">
          <Price symbol={row.symbol} value={row.liquidation_price} />
        </span>
      ),
      "number",
    ],
    ["Margin (ratio)", (row) => <Margin position={row} crossRatio={crossRatio} />, "number"],
    ["PnL (ROE)", (row) => <Pnl position={row} />, "number"],
    [
      "TP / SL",
      (row) => (
        <Triggers position={row} waiting={waiting} onOpen={() => setTask({ kind: "triggers", symbol: row.symbol })} />
      ),
    ],
    [
      "Actions",
      (row) => (
        <span className="flex justify-end gap-1">
          {row.margin_mode === "isolated" && (
            <Button
              size="small"
              aria-label={`Margin of ${row.symbol}`}
              onClick={() => setTask({ kind: "margin", symbol: row.symbol })}
            >
              Margin
            </Button>
          )}
          <Button
            size="small"
            aria-label={`Close ${row.symbol}`}
            onClick={() => setTask({ kind: "close", symbol: row.symbol })}
          >
            Close
          </Button>
        </span>
      ),
      "untitled",
    ],
  ];
  return (
    <>
      <Rows
        label="Positions"
        columns={columns}
        rows={positions}
        keyOf={(row) => row.symbol}
        empty={
          <EmptyState title="No open positions">
            An order that is filled opens one; it is shown here with its PnL.
          </EmptyState>
        }
      />
      {Asked !== undefined && concerned !== undefined && (
        <Asked position={concerned} onClose={() => setTask(undefined)} />
      )}
    </>
  );
}
