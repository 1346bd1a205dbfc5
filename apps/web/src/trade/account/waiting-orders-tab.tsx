import { Button } from "../../kit/button.tsx";
import { Badge } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { api } from "../../session/session.ts";
import { cancelOrder } from "./actions.ts";
import { CancelAll } from "./cancel-all.tsx";
import type { Position } from "./margin.ts";
import type { OpenOrder, WaitingOrder } from "./orders-model.ts";
import { placedColumns } from "./placed-columns.tsx";
import { Rows } from "./rows.tsx";
import { closes, isAsleep } from "./triggers.ts";
import { asWritten, workingTypeWords } from "./words.ts";
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
    ...placedColumns<WaitingOrder>((row) => row.reduce_only && !row.close_position && <Badge>reduce-only</Badge>),
    ["Trigger", (row) => <Trigger order={row} />, "number"],
    [
      "Then",
      (row) => (row.price === undefined ? <span className="text-muted">market</span> : <Written value={row.price} />),
      "number",
    ],
    [
      "Size",
      (row) =>
        row.close_position ? <span className="text-muted">whole position</span> : <Written value={row.quantity} />,
      "number",
    ],
    ["Status", (row) => <Status order={row} open={open} positions={positions} />],
    {
      key: "actions",
      title: (
        <CancelAll
          orders={orders}
          what="conditional order"
          warning="Positions that they protect stay open without them."
          cancel={cancelConditional}
        />
      ),
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

async function cancelConditional(orders: readonly WaitingOrder[]): Promise<void> {
  for (const { id } of orders) await api.orders.cancel(id);
}
