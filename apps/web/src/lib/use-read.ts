import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";

/** Aborted when the reply is no longer needed. */
export interface Call {
  readonly signal: AbortSignal;
}

type Options<T> = Omit<UseQueryOptions<T>, "queryKey" | "queryFn">;

/** Reads from the exchange by `read` and keeps the reply under `key`. */
export const useRead = <T>(key: QueryKey, read: (call: Call) => Promise<T>, options?: Options<T>): UseQueryResult<T> =>
  useQuery({ queryKey: key, queryFn: ({ signal }) => read({ signal }), ...options });

/** A page of one of the exchange's own lists. */
export interface CursorPage<Row> {
  readonly items: readonly Row[];
  /** -1 on pages other than the first. */
  readonly total: number;
  readonly next_cursor: string | null;
}

export type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>;

interface PagesOptions<Page> {
  readonly isEnabled?: boolean;
  /** When to read the pages that are shown again; undefined: not by itself. */
  readonly refreshAfter_ms?: (pages: readonly Page[]) => number | undefined;
}

/** Reads a list page by page by its cursor. */
export const useReadPages = <Page extends CursorPage<unknown>>(
  key: QueryKey,
  read: (cursor: string | undefined, call: Call) => Promise<Page>,
  options: PagesOptions<Page> = {},
): Pages<Page> =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: options.isEnabled ?? true,
    refetchInterval: ({ state }) => (state.data && options.refreshAfter_ms?.(state.data.pages)) ?? false,
  });
