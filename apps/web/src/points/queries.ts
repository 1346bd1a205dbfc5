import { RequestRefused } from "@bourse/api/client";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api } from "../session/session.ts";

/** Lists are made anew every five minutes, one's own totals with every fill. */
const BOARD_REFRESH_MS = 60_000;
const OWN_REFRESH_MS = 15_000;
const LEDGER_PAGE = 50;

export const useSeasons = () =>
  useQuery({
    queryKey: ["points", "seasons"],
    queryFn: ({ signal }) => api.points.seasons({ signal }),
    refetchInterval: BOARD_REFRESH_MS,
  });

export const useLevels = () =>
  useQuery({
    queryKey: ["points", "levels"],
    queryFn: ({ signal }) => api.points.levels({ signal }),
    staleTime: 5 * BOARD_REFRESH_MS,
  });

export const useOwnPoints = (address: string | undefined) =>
  useQuery({
    queryKey: ["points", "mine", address],
    queryFn: ({ signal }) => api.points.mine({ signal }),
    enabled: address !== undefined,
    refetchInterval: OWN_REFRESH_MS,
  });

export interface BoardEntry {
  readonly rank: number;
  readonly user_address: string;
  readonly tier: string | null;
  readonly points: string;
}

export interface Board {
  /** The day of a daily list. */
  readonly date: string | undefined;
  readonly epoch_number: number;
  readonly refreshed_at: string;
  readonly total: number;
  readonly entries: readonly BoardEntry[];
}

export type BoardKind = "daily" | "epoch";

async function readBoard(
  kind: BoardKind,
  query: { readonly epoch: number | undefined; readonly limit: number; readonly offset: number },
  signal: AbortSignal,
): Promise<Board> {
  if (kind === "epoch") return { date: undefined, ...(await api.points.epochBoard(query, { signal })) };
  const { entries, ...board } = await api.points.dailyBoard(query, { signal });
  return { ...board, entries: entries.map(({ points_today, ...entry }) => ({ ...entry, points: points_today })) };
}

export const useBoard = (kind: BoardKind, epoch: number | undefined, offset: number, limit: number, isEnabled = true) =>
  useQuery({
    queryKey: ["points", "board", kind, epoch, offset, limit],
    queryFn: ({ signal }) => readBoard(kind, { epoch, offset, limit }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: BOARD_REFRESH_MS,
    enabled: isEnabled,
  });

export const useLedger = (address: string) =>
  useInfiniteQuery({
    queryKey: ["points", "ledger", address],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.points.ledger({ order: "desc", limit: LEDGER_PAGE, cursor: pageParam }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

const NOT_FOUND = 404;

/** Who scored nothing in a season has no part in it, which is an answer and no fault. */
export const useAllocation = (seasonId: string, address: string) =>
  useQuery({
    queryKey: ["points", "allocation", seasonId, address],
    queryFn: async ({ signal }) => {
      try {
        return await api.points.allocation(seasonId, address, { signal });
      } catch (error) {
        if (error instanceof RequestRefused && error.status === NOT_FOUND) return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
