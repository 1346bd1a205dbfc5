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
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are identical and never move
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

/** Why there is nothing, and what to do. */
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

/** What went wrong, with the code in small print and a button to try again. */
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
  /** Height of the grey bars while it loads; `skeleton` replaces the bars. */
  readonly rows?: number;
  readonly rowHeight?: number;
  readonly loadingLabel?: string;
  readonly skeleton?: ReactNode;
  /** An empty list or a total of 0, unless `isEmpty` says otherwise. */
  readonly empty?: ReactNode;
  readonly isEmpty?: (data: T) => boolean;
  readonly children: (data: T) => ReactNode;
}

const isNothing = (data: unknown): boolean =>
  Array.isArray(data) ? data.length === 0 : (data as { readonly total?: unknown } | null)?.total === 0;

/** The states of a query: loading, failed, empty, loaded, loaded but outdated. */
export function Async<T>(props: AsyncProps<T>) {
  const { query, rows = 3, rowHeight = 28, loadingLabel = "Loading", skeleton, empty, children } = props;
  const { isEmpty = isNothing } = props;
  const { data, error } = query;
  if (data === undefined) {
    if (error) return <ErrorState error={error} onRetry={() => void query.refetch()} />;
    return skeleton ?? <Skeleton rows={rows} rowHeight={rowHeight} label={loadingLabel} />;
  }
  const content = empty !== undefined && isEmpty(data) ? empty : children(data);
  if (!error) return content;
  return (
    <div className="relative">
      <p role="status" className="px-1 pb-1 text-xs text-warn">
        Not up to date: {wordsOf(error).title} This is from <Age since={query.dataUpdatedAt} /> ago.
      </p>
      <div className="opacity-60">{content}</div>
    </div>
  );
}
