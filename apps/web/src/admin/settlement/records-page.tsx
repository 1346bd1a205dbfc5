import type { PayoutRecord } from "@bourse/api/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Segmented, TextField } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Num, Percent } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Pager } from "../frame/pager.tsx";
import { isDay } from "./days.ts";
import { ExplainDialog } from "./explain-dialog.tsx";
import { type PaymentFilter, useRecordsPage } from "./queries.ts";

const PER_PAGE = 50;

const STATUSES: readonly { readonly value: PaymentFilter; readonly label: string }[] = [
  { value: "pending", label: "Pending" },
  { value: "paid", label: "Paid" },
  { value: "all", label: "All" },
];

const filterOf = (text: string | undefined): PaymentFilter =>
  STATUSES.find(({ value }) => value === text)?.value ?? "pending";

const money = (
  key: string,
  title: string,
  of: (record: PayoutRecord) => string,
  isSecondary = true,
): Column<PayoutRecord> => ({
  key,
  title,
  isNumber: true,
  isSecondary,
  cell: (record) => <Num value={of(record)} decimals={2} />,
});

const columnsOf = (onExplain: (id: string) => void): readonly Column<PayoutRecord>[] => [
  [
    "Day (UTC)",
    ({ period, revision }) => (
      <span className="num">
        {period} {revision > 0 && <Badge>adjustment {revision}</Badge>}
      </span>
    ),
  ],
  ["KOL", (record) => <Hash value={record.broker_id} of="KOL id" />, "secondary"],
  ["Downline", (record) => <Hash value={record.downline_wallet} of="wallet" />],
  money("fee", "Fee", (record) => record.fee_amount),
  ["Rate", (record) => <Percent fraction={record.kol_rebate_rate} />, "number", "secondary"],
  money("customer", "Downline gets", (record) => record.customer_rebate),
  money("share", "Parent gets", (record) => record.share_amount),
  money("net", "KOL gets", (record) => record.kol_net_rebate, false),
  [
    "Payment",
    ({ payment_status }) => <Badge tone={payment_status === "paid" ? "accent" : "neutral"}>{payment_status}</Badge>,
    "secondary",
  ],
  [
    "How it was calculated",
    ({ id }) => (
      <Button size="small" onClick={() => onExplain(id)}>
        Explain
      </Button>
    ),
    "number",
    "untitled",
  ],
];

/** Every rebate record, each with its explanation. */
export function RecordsPage() {
  const search = useSearch({ from: "/admin/records" });
  const navigate = useNavigate({ from: "/admin/records" });
  const [page, setPage] = useState(1);
  const [explained, setExplained] = useState<string>();
  const status = filterOf(search.status);
  const period = search.period !== undefined && isDay(search.period) ? search.period : undefined;
  const query = useRecordsPage({ period, status, page, per_page: PER_PAGE });
  const filterBy = (next: { readonly period?: string; readonly status: PaymentFilter }) => {
    setPage(1);
    void navigate({ replace: true, search: { ...(next.period ? { period: next.period } : {}), status: next.status } });
  };
  return (
    <Page title="Rebate records" lead="One record for each day, KOL and downline. Amounts in USDT.">
      <Panel isFlush className="overflow-hidden">
        <div className="flex flex-wrap items-end gap-4 px-4 pt-3 pb-2">
          <Segmented
            label="Payment"
            options={STATUSES}
            value={status}
            onChange={(next) => filterBy({ ...(period === undefined ? {} : { period }), status: next })}
          />
          <TextField
            label="Day (UTC)"
            className="w-44"
            kind="date"
            value={period ?? ""}
            onChange={(text) => filterBy({ period: text, status })}
          />
          {period !== undefined && (
            <Button look="quiet" onClick={() => filterBy({ status })}>
              All days
            </Button>
          )}
        </div>
        <QueryTable
          query={query}
          rowsOf={({ records }) => records}
          label="Rebate records"
          keyOf={(record) => record.id}
          columns={columnsOf(setExplained)}
          loadingRows={12}
          empty={
            <EmptyState title="No record matches">
              {status === "pending"
                ? "Everything that is owed is paid."
                : "Choose another day or another payment state."}
            </EmptyState>
          }
          foot={({ total }) => <Pager of="records" page={page} perPage={PER_PAGE} total={total} onPage={setPage} />}
        />
      </Panel>
      {explained !== undefined && <ExplainDialog id={explained} onClose={() => setExplained(undefined)} />}
    </Page>
  );
}
