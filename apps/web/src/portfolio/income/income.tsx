import type { AccountIncome, IncomeType } from "@bourse/api/client";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { SelectField } from "../../kit/field.tsx";
import { PagedTable } from "../../kit/list.tsx";
import { Num, Signed } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { saveFile } from "../../lib/download.ts";
import { useRead } from "../../lib/use-read.ts";
import { api } from "../../session/session.ts";
import { howColumn } from "../how-column.tsx";
import { useIncome } from "../queries.ts";
import { WhatAndWhen } from "../what-and-when.tsx";
import { HowIncome } from "./how-income.tsx";
import { INCOME_TYPES, INCOME_WORDS, incomeCsv, incomeName, isMoved, sumsByType } from "./income-sums.ts";

interface AmountProps {
  readonly row: Pick<AccountIncome, "type" | "amount">;
  readonly decimals: number;
}

/** Colours are for profit and loss: transfers have a sign but no colour. */
function Amount({ row: { type, amount }, decimals }: AmountProps) {
  return isMoved(type) ? (
    <Num value={amount} decimals={decimals} signed />
  ) : (
    <Signed value={amount} decimals={decimals} />
  );
}

function columnsOf(onHow: (row: AccountIncome) => void): readonly Column<AccountIncome>[] {
  return [
    ["Time", ({ time }) => <Time at={time} precision="second" />, "secondary"],
    ["Type", ({ type, time }) => <WhatAndWhen what={incomeName(type)} at={time} />],
    ["Market", ({ symbol }) => symbol ?? "–", "secondary"],
    ["Amount, USDT", (row) => <Amount row={row} decimals={6} />, "number"],
    howColumn(onHow),
  ];
}

/** Everything that was credited to the account or taken from it. */
export function Income() {
  const [type, setType] = useState<IncomeType>();
  const [symbol, setSymbol] = useState<string>();
  const [explained, setExplained] = useState<AccountIncome>();
  const query = useIncome({ type, symbol });
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
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
            title="The loaded rows"
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
        <PagedTable
          label="Income"
          query={query}
          keyOf={({ id }) => id}
          columns={columnsOf(setExplained)}
          loadingRows={8}
          height="60vh"
          empty={
            <EmptyState title="Nothing yet">
              {type === undefined && symbol === undefined
                ? "Deposits, fees, funding and profits are listed here."
                : "Nothing of this kind. Choose another type or market."}
            </EmptyState>
          }
        />
      </Panel>
      <HowIncome row={explained} onClose={() => setExplained(undefined)} />
    </div>
  );
}

/** The sums of the loaded rows, by type. */
function Sums({ rows, isAll }: { readonly rows: readonly AccountIncome[]; readonly isAll: boolean }) {
  const sums = sumsByType(rows);
  if (sums.length === 0) return null;
  return (
    <dl aria-label={isAll ? "Sums" : "Sums of the loaded rows"} className="flex flex-wrap gap-x-6 gap-y-2 px-4 pb-3">
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
          Sums of the <Num value={rows.length} /> loaded rows.
        </p>
      )}
    </dl>
  );
}

interface FilterProps<T> {
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
}

const TYPE_OPTIONS = [
  { value: "" as const, label: "All types" },
  ...INCOME_TYPES.map((value) => ({ value, label: INCOME_WORDS[value] })),
];

const TypeFilter = ({ value, onChange }: FilterProps<IncomeType>) => (
  <SelectField
    label="Type"
    options={TYPE_OPTIONS}
    value={value ?? ""}
    onChange={(type) => onChange(type === "" ? undefined : type)}
  />
);

function SymbolFilter({ value, onChange }: FilterProps<string>) {
  const { data } = useRead(["portfolio", "markets"], (call) => api.market.markets(call), {
    staleTime: Number.POSITIVE_INFINITY,
  });
  const options = [
    { value: "", label: "All markets" },
    ...(data?.items.map(({ symbol }) => ({ value: symbol, label: symbol })) ?? []),
  ];
  return (
    <SelectField
      label="Market"
      options={options}
      value={value ?? ""}
      onChange={(text) => onChange(text || undefined)}
    />
  );
}
