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

type Task = { readonly kind: "close" | "triggers" | "margin"; readonly symbol: string };

/** What is held, with what can be done about it. */
export function PositionsTab({ positions, waiting, symbol, crossRatio }: PositionsTabProps) {
  const [task, setTask] = useState<Task>();
  const concerned = positions.find((position) => position.symbol === task?.symbol);
  const onOpenChange = (isOpen: boolean) => !isOpen && setTask(undefined);
  const columns: readonly Column<Position>[] = [
    {
      key: "symbol",
      title: "Market",
      cell: (row) => (
        <span className="inline-flex items-center gap-2">
          <SymbolCell symbol={row.symbol} side={row.side} />
          <Badge>
            {row.leverage}× {row.margin_mode}
          </Badge>
        </span>
      ),
    },
    {
      key: "size",
      title: "Size",
      isNumber: true,
      cell: (row) => <Size position={row} isShown={row.symbol === symbol} />,
    },
    {
      key: "entry",
      title: "Entry",
      isNumber: true,
      cell: (row) => <Price symbol={row.symbol} value={row.entry_price} />,
    },
    { key: "mark", title: "Mark", isNumber: true, cell: (row) => <Mark position={row} /> },
    {
      key: "liquidation",
      title: "Liq. price",
      isNumber: true,
      cell: (row) => (
        <span className="text-warn">
          <Price symbol={row.symbol} value={row.liquidation_price} />
        </span>
      ),
    },
    {
      key: "margin",
      title: "Margin (ratio)",
      isNumber: true,
      cell: (row) => <Margin position={row} crossRatio={crossRatio} />,
    },
    { key: "pnl", title: "PnL (ROE)", isNumber: true, cell: (row) => <Pnl position={row} /> },
    {
      key: "triggers",
      title: "TP / SL",
      cell: (row) => (
        <Triggers position={row} waiting={waiting} onOpen={() => setTask({ kind: "triggers", symbol: row.symbol })} />
      ),
    },
    {
      key: "actions",
      title: <span className="sr-only">Actions</span>,
      cell: (row) => (
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
    },
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
      {concerned !== undefined && (
        <>
          <CloseDialog position={concerned} isOpen={task?.kind === "close"} onOpenChange={onOpenChange} />
          <TriggersDialog position={concerned} isOpen={task?.kind === "triggers"} onOpenChange={onOpenChange} />
          <IsolatedMarginDialog position={concerned} isOpen={task?.kind === "margin"} onOpenChange={onOpenChange} />
        </>
      )}
    </>
  );
}
