import type { RebateRecord } from "@bourse/api/client";
import { Money, Percent } from "../kit/number.tsx";
import { Table } from "../kit/table.tsx";
import { ExplainLink, Payment, Revision } from "./record-parts.tsx";

/** What a wallet gets back of its own fees, day by day. */
export function OwnRebateTable({ records }: { readonly records: readonly RebateRecord[] }) {
  return (
    <Table<RebateRecord>
      label="Rebates of your own trades"
      rows={records}
      keyOf={({ id }) => id}
      className="max-h-[32rem] px-1"
      columns={[
        {
          key: "period",
          title: "Day (UTC)",
          cell: ({ period, revision }) => (
            <span className="num flex items-center gap-2">
              {period} <Revision revision={revision} />
            </span>
          ),
        },
        {
          key: "fee",
          title: "Your fees",
          isNumber: true,
          isSecondary: true,
          cell: ({ fee_amount }) => <Money value={fee_amount} />,
        },
        {
          key: "ratio",
          title: "Back",
          isNumber: true,
          isSecondary: true,
          cell: ({ customer_rebate_ratio }) => <Percent fraction={customer_rebate_ratio} />,
        },
        {
          key: "rebate",
          title: "Rebate",
          isNumber: true,
          cell: ({ customer_rebate }) => <Money value={customer_rebate} className="font-medium" />,
        },
        {
          key: "status",
          title: "Payment",
          cell: ({ customer_payment_status, provisional }) => (
            <Payment status={customer_payment_status} provisional={provisional} />
          ),
        },
        {
          key: "explain",
          title: <span className="sr-only">Details</span>,
          cell: ({ id, period }) => <ExplainLink id={id} of={`rebate of ${period}`} />,
        },
      ]}
    />
  );
}
