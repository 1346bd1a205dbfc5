import { type ReactNode, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { toast } from "../../kit/toast.tsx";

interface CancelAllProps<Order> {
  readonly orders: readonly Order[];
  /** What they are: "open order". */
  readonly what: string;
  readonly warning?: ReactNode;
  /** More about the orders of one market. */
  readonly note?: (orders: readonly Order[]) => string;
  readonly cancel: (orders: readonly Order[]) => Promise<void>;
}

/** Cancels all orders of a list, after stating how many they are in each market. */
export function CancelAll<Order extends { readonly symbol: string }>(props: CancelAllProps<Order>) {
  const { orders, what, warning, note, cancel } = props;
  const [isAsking, setAsking] = useState(false);
  const count = orders.length === 1 ? `1 ${what}` : `${orders.length} ${what}s`;
  return (
    <span className="flex justify-end">
      <Button size="small" look="quiet" onClick={() => setAsking(true)}>
        Cancel all
      </Button>
      <ConfirmAction
        title={`Cancel ${what}s`}
        changes={[...Map.groupBy(orders, ({ symbol }) => symbol)].map(([symbol, own]) => ({
          what: symbol,
          after: `${own.length} cancelled${note?.(own) ?? ""}`,
        }))}
        warning={warning}
        actionLabel={`Cancel ${count}`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await cancel(orders);
          toast("neutral", `${count} cancelled`);
        }}
      />
    </span>
  );
}
