import type { AccountIncome, IncomeType } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Num, Signed } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../kit/states.tsx";
import { type Column, VirtualTable } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { saveFile } from "../../lib/download.ts";
import { api } from "../../session/session.ts";
import { useIncome } from "../queries.ts";
import { WhatAndWhen } from "../what-and-when.tsx";
import { HowIncome } from "./how-income.tsx";
import { INCOME_TYPES, INCOME_WORDS, incomeCsv, incomeName, isMoved, sumsByType } from "./income-sums.ts";

interface AmountProps {
  readonly row: Pick<AccountIncome, "type" | "amount">;
  readonly decimals: number;
}

/** Colours are for profit and loss: money that only moved has a sign but none. */
function Amount({ row: { type, amount }, decimals }: AmountProps) {
  return isMoved(type) ? (
    <Num value={amount} decimals={decimals} signed />
  ) : (
    <Signed value={amount} decimals={decimals} />
  );
}

function columnsOf(onHow: (row: AccountIncome) => void): readonly Column<AccountIncome>[] {
  return [
    { key: "time", title: "Time", isSecondary: true, cell: ({ time }) => <Time at={time} precision="second" /> },
    { key: "type", title: "Type", cell: ({ type, time }) => <WhatAndWhen what={incomeName(type)} at={time} /> },
    { key: "symbol", title: "Market", isSecondary: true, cell: ({ symbol }) => symbol ?? "–" },
    {
      key: "amount",
      title: "Amount, USDT",
      isNumber: true,
      cell: (row) => <Amount row={row} decimals={6} />,
    },
    {
      key: "how",
      title: <span className="sr-only">How it came about</span>,
      cell: (row) => (
        <Button size="small" look="quiet" onClick={() => onHow(row)}>
          How?
        </Button>
      ),
    },
  ];
}

/** Everything that came to the account and went from it. */
export function Income() {
  const [type, setType] = useState<IncomeType>();
  const [symbol, setSymbol] = useState<string>();
  const [explained, setExplained] = useState<AccountIncome>();
  const query = useIncome({ type, symbol });
  const rows = query.data?.pages.flatMap(({ income }) => income) ?? [];
  const total = query.data?.pages[0]?.total ?? 0;
  return (
    <div className="flex flex-col gap-4">
      <Panel
        title="Income"
        isFlush
        actions={
          <Button
            disabled={rows.length === 0}
            onClick={() => saveFile("income.csv", incomeCsv(rows))}
            title="The rows that are loaded"
          >
            <Download size={14} /> CSV of {rows.length} rows
          </Button>
        }
      >
        <div className="grid grid-cols-2 gap-3 px-4 pb-3 sm:max-w-md">
          <TypeFilter value={type} onChange={setType} />
          <SymbolFilter value={symbol} onChange={setSymbol} />
        </div>
        <Sums rows={rows} isAll={rows.length === total} />
        {query.isPending && <Skeleton rows={8} rowHeight={40} />}
        {query.isError && rows.length === 0 && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.data !== undefined && (
          <VirtualTable
            label="Income"
            rows={rows}
            keyOf={({ id }) => id}
            columns={columnsOf(setExplained)}
            height="60vh"
            empty={
              <EmptyState title="Nothing yet">
                {type === undefined && symbol === undefined
                  ? "Deposits, fees, funding and profits show here."
                  : "Nothing of this kind. Choose another type or market."}
              </EmptyState>
            }
          />
        )}
        {query.hasNextPage && (
          <div className="flex items-center justify-center gap-3 p-3">
            <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load more
            </Button>
            <span className="num text-xs text-faint">
              {rows.length} of {total}
            </span>
          </div>
        )}
      </Panel>
      <HowIncome row={explained} onClose={() => setExplained(undefined)} />
    </div>
  );
}

/** What is loaded comes to this, by type. */
function Sums({ rows, isAll }: { readonly rows: readonly AccountIncome[]; readonly isAll: boolean }) {
  const sums = sumsByType(rows);
  if (sums.length === 0) return null;
  return (
    <dl
      aria-label={isAll ? "Sums" : "Sums of the rows that are loaded"}
      className="flex flex-wrap gap-x-6 gap-y-2 px-4 pb-3"
    >
      {sums.map(({ type, amount, count }) => (
        <div key={type} className="flex flex-col">
          <dt className="text-xs text-muted">
            {incomeName(type)} <span className="num text-faint">× {count}</span>
          </dt>
          <dd className="font-medium">
            <Amount row={{ type, amount }} decimals={2} />
          </dd>
        </div>
      ))}
      {!isAll && (
        <p className="self-end text-xs text-faint">
          Sums of the <Num value={rows.length} /> rows that are loaded.
        </p>
      )}
    </dl>
  );
}

interface FilterProps<T> {
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
}

function TypeFilter({ value, onChange }: FilterProps<IncomeType>) {
  return (
    <Field label="Type">
      {(ids) => (
        <Select
          {...ids}
          value={value ?? ""}
          onChange={(event) => onChange(INCOME_TYPES.find((type) => type === event.target.value))}
        >
          <option value="">All types</option>
          {INCOME_TYPES.map((type) => (
            <option key={type} value={type}>
              {INCOME_WORDS[type]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function SymbolFilter({ value, onChange }: FilterProps<string>) {
  const { data } = useQuery({
    queryKey: ["portfolio", "markets"],
    queryFn: ({ signal }) => api.market.markets({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Field label="Market">
      {(ids) => (
        <Select {...ids} value={value ?? ""} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">All markets</option>
          {data?.markets.map(({ symbol }) => (
            <option key={symbol} value={symbol}>
              {symbol}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
