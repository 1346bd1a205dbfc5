import type { BonusAccount } from "@bourse/api/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { staffApi } from "../../session/session.ts";
import { ADMIN } from "../frame/write.ts";

const BONUS = "bonus";
const LIST_PAGE = 50;
/** The most the server hands out at once. */
const MOST_ROWS = 500;
const MOST_PAGES = 10;
/** Each report compares every account with the pool: it is not asked for by the clock. */
const REPORT_STALE_MS = 30_000;

export type BonusStatus = BonusAccount["status"];
export const RUNNING_STATUSES = ["active", "frozen", "expired_pending"] as const;

export const useCampaign = () =>
  useQuery({
    queryKey: [ADMIN, BONUS, "campaign"],
    queryFn: ({ signal }) => staffApi.bonusAdmin.campaign({ signal }),
  });

export const useReport = () =>
  useQuery({
    queryKey: [ADMIN, BONUS, "report"],
    queryFn: ({ signal }) => staffApi.bonusAdmin.reconcileReport({ signal }),
    staleTime: REPORT_STALE_MS,
    refetchOnWindowFocus: false,
  });

const nextCursor = ({ next_cursor }: { readonly next_cursor: string | null }) => next_cursor ?? undefined;
const FIRST_PAGE = undefined as string | undefined;

export const useBatches = () =>
  useInfiniteQuery({
    queryKey: [ADMIN, BONUS, "batches"],
    initialPageParam: FIRST_PAGE,
    queryFn: ({ pageParam, signal }) =>
      staffApi.bonusAdmin.batches({ limit: LIST_PAGE, cursor: pageParam }, { signal }),
    getNextPageParam: nextCursor,
  });

export const useBatch = (id: string) =>
  useQuery({
    queryKey: [ADMIN, BONUS, "batch", id],
    queryFn: ({ signal }) => staffApi.bonusAdmin.batch(id, { signal }),
  });

export const usePoolLedger = () =>
  useInfiniteQuery({
    queryKey: [ADMIN, BONUS, "pool-ledger"],
    initialPageParam: FIRST_PAGE,
    queryFn: ({ pageParam, signal }) =>
      staffApi.bonusAdmin.poolLedger({ limit: LIST_PAGE, cursor: pageParam }, { signal }),
    getNextPageParam: nextCursor,
  });

export const useAccounts = (status: BonusStatus | undefined, address: string | undefined) =>
  useInfiniteQuery({
    queryKey: [ADMIN, BONUS, "accounts", status ?? "all", address ?? "all"],
    initialPageParam: FIRST_PAGE,
    queryFn: ({ pageParam, signal }) =>
      staffApi.bonusAdmin.accounts({ status, address, limit: LIST_PAGE, cursor: pageParam }, { signal }),
    getNextPageParam: nextCursor,
  });

export const useAccount = (address: string) =>
  useQuery({
    queryKey: [ADMIN, BONUS, "account", address],
    queryFn: ({ signal }) => staffApi.bonusAdmin.account(address, { signal }),
  });

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Whether all pages were read. */
  readonly isWhole: boolean;
}

/** Page by page, the newest first, until there is no more, `isEnough` says so, or there are too many. */
async function readAccounts(
  status: BonusStatus | undefined,
  isEnough: (last: BonusAccount) => boolean,
  signal: AbortSignal,
): Promise<Found<BonusAccount>> {
  const rows: BonusAccount[] = [];
  let cursor = FIRST_PAGE;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const reply = await staffApi.bonusAdmin.accounts({ status, cursor, limit: MOST_ROWS }, { signal });
    rows.push(...reply.accounts);
    const last = rows.at(-1);
    if (reply.next_cursor === null || last === undefined || isEnough(last)) return { rows, isWhole: true };
    cursor = reply.next_cursor;
  }
  return { rows, isWhole: false };
}

/** Everybody who got a bonus of the batch, by grant or by code. No bonus of it is older than the batch itself. */
export const useRecipients = (batch: { readonly grant_batch_id: string; readonly created_at: string }) =>
  useQuery({
    queryKey: [ADMIN, BONUS, "recipients", batch.grant_batch_id],
    queryFn: async ({ signal }): Promise<Found<BonusAccount>> => {
      const isOlder = (account: BonusAccount) => account.granted_at < batch.created_at;
      const { rows, isWhole } = await readAccounts(undefined, isOlder, signal);
      return { rows: rows.filter(({ grant_batch_id }) => grant_batch_id === batch.grant_batch_id), isWhole };
    },
  });

/** The running bonus of each wallet. */
export const useRunningBonuses = () =>
  useQuery({
    queryKey: [ADMIN, BONUS, "running"],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, BonusAccount>> => {
      const found = new Map<string, BonusAccount>();
      for (const status of RUNNING_STATUSES) {
        const { rows } = await readAccounts(status, () => false, signal);
        for (const account of rows) found.set(account.address, account);
      }
      return found;
    },
  });

export const useRisk = (min_score: number) =>
  useQuery({
    queryKey: [ADMIN, BONUS, "risk", min_score],
    queryFn: ({ signal }) => staffApi.bonusAdmin.risk({ min_score, limit: MOST_ROWS }, { signal }),
    staleTime: REPORT_STALE_MS,
    refetchOnWindowFocus: false,
  });
