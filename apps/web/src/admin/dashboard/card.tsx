import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { wordsOf } from "../../lib/words.ts";
import type { PlacePath } from "../frame/places.ts";

interface CardProps<T> {
  readonly label: string;
  readonly to: PlacePath;
  readonly query: UseQueryResult<T>;
  readonly figure: (data: T) => ReactNode;
  readonly note: (data: T) => ReactNode;
}

/** A headline figure with a link to its page. Its height does not depend on the data. */
export function Card<T>({ label, to, query, figure, note }: CardProps<T>) {
  const { data, error } = query;
  return (
    <Link
      to={to}
      className="group flex min-h-24 min-w-0 flex-col gap-0.5 rounded-lg bg-panel px-4 py-3 hover:bg-raised"
    >
      <span className="flex items-center justify-between gap-2 text-xs text-muted">
        {label}
        <ArrowUpRight size={14} aria-hidden="true" className="text-faint group-hover:text-accent" />
      </span>
      {data === undefined ? (
        <span className="text-sm text-muted">{error === null ? "…" : wordsOf(error).title}</span>
      ) : (
        <>
          <span className="num truncate text-xl font-semibold">{figure(data)}</span>
          <span className="text-xs text-faint">
            {error === null ? note(data) : <span className="text-warn">Not up to date: {wordsOf(error).title}</span>}
          </span>
        </>
      )}
    </Link>
  );
}
