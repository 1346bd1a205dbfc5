import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Badge } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { toast } from "../../kit/toast.tsx";
import { api } from "../../session/session.ts";
import { cancelOrder } from "./actions.ts";
import type { Position } from "./margin.ts";
import type { OpenOrder, WaitingOrder } from "./orders-model.ts";
import { Rows } from "./rows.tsx";
import { SideWord, SymbolCell } from "./symbol-cell.tsx";
import { closes, isAsleep } from "./triggers.ts";
import { asWritten, typeWords, workingTypeWords } from "./words.ts";
import { Written } from "./written.tsx";

interface WaitingOrdersTabProps {
  readonly orders: readonly WaitingOrder[];
  readonly open: readonly OpenOrder[];
  readonly positions: readonly Position[];
}

function Trigger({ order }: { readonly order: WaitingOrder }) {
  const watched = <span className="text-xs text-faint">{workingTypeWords(order.working_type)}</span>;
  if (order.stop_price !== undefined) {
    return (
      <span className="inline-flex items-baseline gap-1.5">
        <Written value={order.stop_price} /> {watched}
      </span>
    );
  }
  const from = order.activate_price === undefined ? "" : ` from ${asWritten(order.activate_price)}`;
  return (
    <span className="num inline-flex items-baseline gap-1.5">
      {order.callback_rate} %{from} {watched}
    </span>
  );
}

/** What it waits for besides its price. */
function Status({ order, open, positions }: Omit<WaitingOrdersTabProps, "orders"> & { readonly order: WaitingOrder }) {
  if (isAsleep(order, open)) return <span className="text-muted">Waits for order {order.parent_id}</span>;
  const isReducing = order.reduce_only || order.close_position;
  if (isReducing && !positions.some((position) => closes(order, position))) {
    return <span className="text-warn">No position to close</span>;
  }
  return <span className="text-muted">Waits for its price</span>;
}

/** Orders that wait for a trigger. */
export function WaitingOrdersTab({ orders, open, positions }: WaitingOrdersTabProps) {
  const columns: readonly Column<WaitingOrder>[] = [
    { key: "time", title: "Time", isSecondary: true, cell: (row) => <Time at={row.created_time} precision="second" /> },
    { key: "symbol", title: "Market", cell: (row) => <SymbolCell symbol={row.symbol} side={row.side} /> },
    { key: "side", title: "Side", cell: (row) => <SideWord side={row.side} /> },
    {
      key: "type",
      title: "Type",
      cell: (row) => (
        <span className="inline-flex items-center gap-1.5">
          {typeWords(row.type)}
          {row.reduce_only && !row.close_position && <Badge>reduce-only</Badge>}
        </span>
      ),
    },
    { key: "trigger", title: "Trigger", isNumber: true, cell: (row) => <Trigger order={row} /> },
    {
      key: "price",
      title: "Then",
      isNumber: true,
      cell: (row) =>
        row.price === undefined ? <span className="text-muted">market</span> : <Written value={row.price} />,
    },
    {
      key: "quantity",
      title: "Size",
      isNumber: true,
      cell: (row) =>
        row.close_position ? <span className="text-muted">whole position</span> : <Written value={row.quantity} />,
    },
    { key: "status", title: "Status", cell: (row) => <Status order={row} open={open} positions={positions} /> },
    {
      key: "actions",
      title: <CancelAllTriggers orders={orders} />,
      cell: (row) => (
        <span className="flex justify-end">
          <Button size="small" aria-label={`Cancel conditional order ${row.id}`} onClick={() => void cancelOrder(row)}>
            Cancel
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Rows
      label="Conditional orders"
      columns={columns}
      rows={orders}
      keyOf={(row) => row.id}
      empty={
        <EmptyState title="No conditional orders">
          Stops, take profits and trailing stops wait here until their price is reached.
        </EmptyState>
      }
    />
  );
}

function CancelAllTriggers({ orders }: Pick<WaitingOrdersTabProps, "orders">) {
  const [isOpen, setOpen] = useState(false);
  const symbols = [...new Set(orders.map(({ symbol }) => symbol))];
  const count = orders.length === 1 ? "1 conditional order" : `${orders.length} conditional orders`;
  const cancelAll = async () => {
    for (const { id } of orders) await api.orders.cancel(id);
    toast("neutral", `${count} cancelled`);
  };
  return (
    <span className="flex justify-end">
      <Button size="small" look="quiet" onClick={() => setOpen(true)}>
        Cancel all
      </Button>
      <ConfirmAction
        title="Cancel conditional orders"
        changes={symbols.map((symbol) => ({
          what: symbol,
          after: `${orders.filter((order) => order.symbol === symbol).length} gone`,
        }))}
        warning="Positions that they protect stay open without them."
        actionLabel={`Cancel ${count}`}
        isOpen={isOpen}
        onOpenChange={setOpen}
        onConfirm={cancelAll}
      />
    </span>
  );
}
