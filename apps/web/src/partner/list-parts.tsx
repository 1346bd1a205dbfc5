import type { ReactNode } from "react";
import { Num } from "../kit/number.tsx";
import { EmptyState } from "../kit/states.tsx";
import type { Column } from "../kit/table.tsx";
import { Revision } from "./record-parts.tsx";

export const HEIGHT = "min(36rem, 70dvh)";
const FULL_LIST = 100;
/** The unit is named below the list, not in every cell. */
export const Usdt = (props: { readonly value: string; readonly decimals?: number; readonly className?: string }) => (
  <Num decimals={2} {...props} />
);

export interface PeriodProps {
  readonly period: string | undefined;
}

/** How many rows there are. A full list may have more behind it. */
export function Footnote({ count, what }: { readonly count: number; readonly what: string }) {
  return (
    <p className="px-4 py-2 text-xs text-muted">
      {count < FULL_LIST
        ? `${count} ${count === 1 ? what : `${what}s`}, amounts in USDT.`
        : `The newest ${FULL_LIST} ${what}s, amounts in USDT. Choose a day to see its own; the export has all of them.`}
    </p>
  );
}

export const nothingOn = (period: string | undefined, title: string, text: string): ReactNode => (
  <EmptyState title={period === undefined ? title : `Nothing on ${period}`}>{text}</EmptyState>
);

export const dayColumn = <R extends { readonly period: string; readonly revision: number }>(): Column<R> => [
  "Day (UTC)",
  ({ period, revision }) => (
    <span className="num flex items-center gap-2">
      {period} <Revision revision={revision} />
    </span>
  ),
];
