import type { PayoutRecord } from "@bourse/api/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Field, Segmented, TextInput } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num, Percent } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
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
  {
    key: "period",
    title: "Day (UTC)",
    cell: ({ period, revision }) => (
      <span className="num">
        {period} {revision > 0 && <Badge>adjustment {revision}</Badge>}
      </span>
    ),
  },
  { key: "broker", title: "KOL", isSecondary: true, cell: (record) => <Hash value={record.broker_id} of="KOL id" /> },
  { key: "downline", title: "Downline", cell: (record) => <Hash value={record.downline_wallet} of="wallet" /> },
  money("fee", "Fee", (record) => record.fee_amount),
  {
    key: "rate",
    title: "Rate",
    isNumber: true,
    isSecondary: true,
    cell: (record) => <Percent fraction={record.kol_rebate_rate} />,
  },
  money("customer", "Downline gets", (record) => record.customer_rebate),
  money("share", "Parent gets", (record) => record.share_amount),
  money("net", "KOL gets", (record) => record.kol_net_rebate, false),
  {
    key: "status",
    title: "Payment",
    isSecondary: true,
    cell: ({ payment_status }) => (
      <Badge tone={payment_status === "paid" ? "accent" : "neutral"}>{payment_status}</Badge>
    ),
  },
  {
    key: "explain",
    title: <span className="sr-only">How it came about</span>,
    isNumber: true,
    cell: ({ id }) => (
      <Button size="small" onClick={() => onExplain(id)}>
        Explain
      </Button>
    ),
  },
];

/** Every rebate record, with how it came about one click away. */
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
          <Field label="Day (UTC)" className="w-44">
            {(ids) => (
              <TextInput
                {...ids}
                type="date"
                className="num"
                value={period ?? ""}
                onChange={(event) => filterBy({ period: event.target.value, status })}
              />
            )}
          </Field>
          {period !== undefined && (
            <Button look="quiet" onClick={() => filterBy({ status })}>
              All days
            </Button>
          )}
        </div>
        <Async
          query={query}
          skeleton={<Skeleton rows={12} rowHeight={40} />}
          isEmpty={({ total }) => total === 0}
          empty={
            <EmptyState title="No record matches">
              {status === "pending"
                ? "Everything that is owed is paid."
                : "Choose another day or another payment state."}
            </EmptyState>
          }
        >
          {({ records, total }) => (
            <>
              <Table
                label="Rebate records"
                rows={records}
                keyOf={(record) => record.id}
                columns={columnsOf(setExplained)}
              />
              <Pager of="records" page={page} perPage={PER_PAGE} total={total} onPage={setPage} />
            </>
          )}
        </Async>
      </Panel>
      {explained !== undefined && <ExplainDialog id={explained} onClose={() => setExplained(undefined)} />}
    </Page>
  );
}
