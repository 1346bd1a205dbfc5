import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { wordsOf } from "../lib/words.ts";
import { Button } from "./button.tsx";
import { Age } from "./time.tsx";

/** Grey bars of the height that the content will have. */
export function Skeleton({ rows = 3, rowHeight = 28, label = "Loading" }: SkeletonProps) {
  return (
    <div role="status" aria-label={label} className="flex flex-col" style={{ height: rows * rowHeight }}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never change places
        <div key={row} className="flex flex-1 items-center px-1">
          <div className="h-3 w-full rounded-sm bg-raised" style={{ maxWidth: `${92 - ((row * 17) % 40)}%` }} />
        </div>
      ))}
    </div>
  );
}
interface SkeletonProps {
  readonly rows?: number;
  readonly rowHeight?: number;
  readonly label?: string;
}

/** Nothing there: why, and what one could do. */
export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cx("flex flex-col items-center justify-center gap-2 px-4 py-8 text-center", className)}>
      <p className="font-medium">{title}</p>
      {children !== undefined && <p className="max-w-md text-sm text-muted">{children}</p>}
      {action}
    </div>
  );
}
interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly className?: string;
}

/** What went wrong, in words, with the code small beside it, and a way to try again. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { title, advice, code } = wordsOf(error);
  return (
    <div role="alert" className="flex flex-col items-center justify-center gap-2 px-4 py-8 text-center">
      <p className="font-medium">
        {title} {code !== undefined && <span className="font-mono text-xs text-faint">{code}</span>}
      </p>
      {advice !== undefined && <p className="max-w-md text-sm text-muted">{advice}</p>}
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

interface AsyncProps<T> {
  readonly query: UseQueryResult<T>;
  readonly skeleton?: ReactNode;
  readonly isEmpty?: (data: T) => boolean;
  readonly empty?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** The states of anything that is asked for: loading, error, empty, there, there but old. */
export function Async<T>({ query, skeleton = <Skeleton />, isEmpty, empty, children }: AsyncProps<T>) {
  const { data, error } = query;
  if (data === undefined) {
    return error ? <ErrorState error={error} onRetry={() => void query.refetch()} /> : skeleton;
  }
  const content = isEmpty?.(data) ? empty : children(data);
  if (!error) return content;
  return (
    <div className="relative">
      <p role="status" className="px-1 pb-1 text-xs text-warn">
        Not up to date: {wordsOf(error).title} Shown is what was known <Age since={query.dataUpdatedAt} /> ago.
      </p>
      <div className="opacity-60">{content}</div>
    </div>
  );
}
