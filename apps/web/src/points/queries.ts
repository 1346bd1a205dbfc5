import { RequestRefused } from "@bourse/api/client";
import { keepPreviousData } from "@tanstack/react-query";
import { useRead, useReadPages } from "../lib/use-read.ts";
import { api } from "../session/session.ts";

/** Lists are computed every five minutes, the wallet's own totals with every fill. */
const BOARD_REFRESH_MS = 60_000;
const OWN_REFRESH_MS = 15_000;
const LEDGER_PAGE = 50;

export const useSeasons = () =>
  useRead(["points", "seasons"], (call) => api.points.seasons(call), { refetchInterval: BOARD_REFRESH_MS });

export const useLevels = () =>
  useRead(["points", "levels"], (call) => api.points.levels(call), { staleTime: 5 * BOARD_REFRESH_MS });

export const useOwnPoints = (address: string | undefined) =>
  useRead(["points", "mine", address], (call) => api.points.mine(call), {
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
  useRead(
    ["points", "board", kind, epoch, offset, limit],
    (call) => readBoard(kind, { epoch, offset, limit }, call.signal),
    { placeholderData: keepPreviousData, refetchInterval: BOARD_REFRESH_MS, enabled: isEnabled },
  );

export const useLedger = (address: string) =>
  useReadPages(["points", "ledger", address], (cursor, call) =>
    api.points.ledger({ order: "desc", limit: LEDGER_PAGE, cursor }, call),
  );

const NOT_FOUND = 404;

/** Null for a wallet that scored nothing in the season: that is an answer, not an error. */
export const useAllocation = (seasonId: string, address: string) =>
  useRead(
    ["points", "allocation", seasonId, address],
    async (call) => {
      try {
        return await api.points.allocation(seasonId, address, call);
      } catch (error) {
        if (error instanceof RequestRefused && error.status === NOT_FOUND) return null;
        throw error;
      }
    },
    { staleTime: Number.POSITIVE_INFINITY },
  );
