import { Check, Pencil, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { DecimalInput } from "../../kit/field.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { toast } from "../../kit/toast.tsx";
import { Decimal, parseTyped, sum } from "../../lib/decimal.ts";
import { formatDecimal } from "../../lib/format.ts";
import { api } from "../../session/session.ts";
import { useMarkets } from "../market/market-data.ts";
import { floorToLot, isOnStep } from "../ticket/steps.ts";
import { cancelOrder } from "./actions.ts";
import { CancelAll } from "./cancel-all.tsx";
import { moveOrder } from "./moves.tsx";
import type { OpenOrder } from "./orders-model.ts";
import { placedColumns } from "./placed-columns.tsx";
import { Rows } from "./rows.tsx";
import { Written } from "./written.tsx";

interface OpenOrdersTabProps {
  readonly orders: readonly OpenOrder[];
}

/** What is being typed into one row. */
interface Edit {
  readonly id: number;
  readonly price: string;
  readonly quantity: string;
  readonly isBusy: boolean;
}

interface EditProps {
  readonly edit: Edit;
  readonly onEdit: (edit: Edit | undefined) => void;
  readonly onSave: () => void;
  readonly isBad: { readonly price: boolean; readonly quantity: boolean };
}

function EditInput({ edit, onEdit, onSave, isBad, field, label }: EditProps & EditInputProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") onSave();
    if (event.key === "Escape") onEdit(undefined);
  };
  return (
    <DecimalInput
      aria-label={label}
      aria-invalid={isBad[field]}
      value={edit[field]}
      onChange={(event) => onEdit({ ...edit, [field]: event.target.value })}
      onKeyDown={onKeyDown}
      className="h-6 w-28 text-right"
    />
  );
}
interface EditInputProps {
  readonly field: "price" | "quantity";
  readonly label: string;
}

/** An edit against the rules of its market. */
function useEditCheck(edit: Edit | undefined, order: OpenOrder | undefined) {
  const { data: markets } = useMarkets();
  const market = markets?.find(({ symbol }) => symbol === order?.symbol);
  const price = parseTyped(edit?.price ?? "");
  const typed = parseTyped(edit?.quantity ?? "");
  const quantity = typed && market ? floorToLot(typed, market.lot_size) : typed;
  return {
    price,
    quantity,
    isBad: {
      price: price === undefined || price.isZero() || (market !== undefined && !isOnStep(price, market.tick_size)),
      quantity: quantity === undefined || quantity.isZero(),
    },
    tick: market?.tick_size,
    lot: market?.lot_size,
  };
}

/** Orders in the book, changed where they stand. */
export function OpenOrdersTab({ orders }: OpenOrdersTabProps) {
  const [edit, setEdit] = useState<Edit>();
  const edited = orders.find(({ id }) => id === edit?.id);
  const { price, quantity, isBad, tick, lot } = useEditCheck(edit, edited);

  const save = async () => {
    if (edit === undefined || edited === undefined || edit.isBusy) return;
    if (isBad.price || price === undefined) {
      toast("warn", "Nothing was sent", `Prices move in steps of ${tick}.`);
      return;
    }
    if (isBad.quantity || quantity === undefined) {
      toast("warn", "Nothing was sent", `The size must be ${lot} or more.`);
      return;
    }
    setEdit({ ...edit, isBusy: true });
    const isDone = await moveOrder(edited, price.toString(), quantity.toString());
    setEdit(isDone ? undefined : { ...edit, isBusy: false });
  };
  const editing = (row: OpenOrder, field: "price" | "quantity", label: string) =>
    edit?.id === row.id ? (
      <EditInput
        edit={edit}
        onEdit={setEdit}
        onSave={() => void save()}
        isBad={isBad}
        field={field}
        label={`${label} of order ${row.id}`}
      />
    ) : (
      <Written value={row[field]} />
    );

  const columns: readonly Column<OpenOrder>[] = [
    ...placedColumns<OpenOrder>((row) => (
      <>
        {row.time_in_force === "GTX" && <Badge>post-only</Badge>}
        {row.reduce_only && <Badge>reduce-only</Badge>}
      </>
    )),
    ["Price", (row) => editing(row, "price", "Price"), "number"],
    ["Size", (row) => editing(row, "quantity", "Size"), "number"],
    ["Filled", (row) => <Written value={row.executed_quantity} />, "number"],
    [
      "Value",
      (row) => (
        <Num value={Decimal.parse(row.price).mul(Decimal.parse(row.quantity)).toString()} decimals={2} unit="USDT" />
      ),
      "number",
      "secondary",
    ],
    {
      key: "actions",
      title: <CancelAll orders={orders} what="open order" note={worthOf} cancel={cancelOpen} />,
      cell: (row) =>
        edit?.id === row.id ? (
          <span className="flex justify-end gap-1">
            <IconButton
              size="small"
              label={`Save order ${row.id}`}
              icon={<Check size={13} />}
              isBusy={edit.isBusy}
              onClick={() => void save()}
            />
            <IconButton
              size="small"
              label={`Leave order ${row.id} as it is`}
              icon={<X size={13} />}
              onClick={() => setEdit(undefined)}
            />
          </span>
        ) : (
          <span className="flex justify-end gap-1">
            <IconButton
              size="small"
              label={`Edit order ${row.id}`}
              icon={<Pencil size={13} />}
              onClick={() => setEdit({ id: row.id, price: row.price, quantity: row.quantity, isBusy: false })}
            />
            <Button size="small" aria-label={`Cancel order ${row.id}`} onClick={() => void cancelOrder(row)}>
              Cancel
            </Button>
          </span>
        ),
    },
  ];
  return (
    <Rows
      label="Open orders"
      columns={columns}
      rows={orders}
      keyOf={(row) => row.id}
      empty={
        <EmptyState title="No open orders">
          Limit orders in the book are listed here and can be changed in place.
        </EmptyState>
      }
    />
  );
}

const MAX_AT_ONCE = 10;

/** Cancels open orders only: conditional orders stay. */
async function cancelOpen(orders: readonly OpenOrder[]): Promise<void> {
  for (const [symbol, own] of Map.groupBy(orders, (order) => order.symbol)) {
    const ids = own.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += MAX_AT_ONCE) {
      await api.orders.cancelBatch(symbol, ids.slice(at, at + MAX_AT_ONCE));
    }
  }
}

const worthOf = (orders: readonly OpenOrder[]): string => {
  const worth = orders.map(({ price, quantity }) => Decimal.parse(price).mul(Decimal.parse(quantity)).toString());
  return `, worth ${formatDecimal(sum(worth).toString(), { decimals: 2 })} USDT`;
};
