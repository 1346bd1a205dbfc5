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

interface CursorPage {
  readonly next_cursor: string | null;
}

export type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>;

/** Reads a list page by page by its cursor. */
export const useReadPages = <Page extends CursorPage>(
  key: QueryKey,
  read: (cursor: string | undefined, call: Call) => Promise<Page>,
  isEnabled = true,
): Pages<Page> =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled: isEnabled,
  });
