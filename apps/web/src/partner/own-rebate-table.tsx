import type { RebateRecord } from "@bourse/api/client";
import { Money, Percent } from "../kit/number.tsx";
import { Table } from "../kit/table.tsx";
import { dayColumn } from "./list-parts.tsx";
import { ExplainLink, Payment } from "./record-parts.tsx";

/** What a wallet gets back of its own fees, day by day. */
export function OwnRebateTable({ records }: { readonly records: readonly RebateRecord[] }) {
  return (
    <Table<RebateRecord>
      label="Rebates of your own trades"
      rows={records}
      keyOf={({ id }) => id}
      className="max-h-[32rem] px-1"
      columns={[
        dayColumn(),
        ["Your fees", ({ fee_amount }) => <Money value={fee_amount} />, "number", "secondary"],
        ["Back", ({ customer_rebate_ratio }) => <Percent fraction={customer_rebate_ratio} />, "number", "secondary"],
        ["Rebate", ({ customer_rebate }) => <Money value={customer_rebate} className="font-medium" />, "number"],
        [
          "Payment",
          ({ customer_payment_status, provisional }) => (
            <Payment status={customer_payment_status} provisional={provisional} />
          ),
        ],
        ["Details", ({ id, period }) => <ExplainLink id={id} of={`rebate of ${period}`} />, "untitled"],
      ]}
    />
  );
}
