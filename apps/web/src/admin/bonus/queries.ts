import type { BonusAccount } from "@bourse/api/client";
import { useReadPages } from "../../lib/use-read.ts";
import { staffApi } from "../../session/session.ts";
import { adminKey, useAdmin } from "../frame/write.ts";

const BONUS = "bonus";
const LIST_PAGE = 50;
/** The server's maximum for one page. */
const MAX_ROWS = 500;
const MAX_PAGES = 10;
/** Each report compares every account with the pool, so it is not refreshed by a timer. */
const REPORT_STALE_MS = 30_000;

export type BonusStatus = BonusAccount["status"];
export const RUNNING_STATUSES = ["active", "frozen", "expired_pending"] as const;

export const useCampaign = () => useAdmin([BONUS, "campaign"], (call) => staffApi.bonusAdmin.campaign(call));

export const useReport = () =>
  useAdmin([BONUS, "report"], (call) => staffApi.bonusAdmin.reconcileReport(call), {
    staleTime: REPORT_STALE_MS,
    refetchOnWindowFocus: false,
  });

export const useBatches = () =>
  useReadPages(adminKey(BONUS, "batches"), (cursor, call) =>
    staffApi.bonusAdmin.batches({ limit: LIST_PAGE, cursor }, call),
  );

export const useBatch = (id: string) => useAdmin([BONUS, "batch", id], (call) => staffApi.bonusAdmin.batch(id, call));

export const usePoolLedger = () =>
  useReadPages(adminKey(BONUS, "pool-ledger"), (cursor, call) =>
    staffApi.bonusAdmin.poolLedger({ limit: LIST_PAGE, cursor }, call),
  );

export const useAccounts = (status: BonusStatus | undefined, address: string | undefined) =>
  useReadPages(adminKey(BONUS, "accounts", status ?? "all", address ?? "all"), (cursor, call) =>
    staffApi.bonusAdmin.accounts({ status, address, limit: LIST_PAGE, cursor }, call),
  );

export const useAccount = (address: string) =>
  useAdmin([BONUS, "account", address], (call) => staffApi.bonusAdmin.account(address, call));

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Whether all pages were read. */
  readonly isWhole: boolean;
}

/** Reads page by page, the newest first, until the end, until `isEnough`, or up to MAX_PAGES. */
async function readAccounts(
  status: BonusStatus | undefined,
  isEnough: (last: BonusAccount) => boolean,
  signal: AbortSignal,
): Promise<Found<BonusAccount>> {
  const rows: BonusAccount[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const reply = await staffApi.bonusAdmin.accounts({ status, cursor, limit: MAX_ROWS }, { signal });
    rows.push(...reply.items);
    const last = rows.at(-1);
    if (reply.next_cursor === null || last === undefined || isEnough(last)) return { rows, isWhole: true };
    cursor = reply.next_cursor;
  }
  return { rows, isWhole: false };
}

/** The wallets that got a bonus of the batch, by grant or by code. None of these bonuses is older than the batch. */
export const useRecipients = (batch: { readonly grant_batch_id: string; readonly created_at: string }) =>
  useAdmin([BONUS, "recipients", batch.grant_batch_id], async (call): Promise<Found<BonusAccount>> => {
    const isOlder = (account: BonusAccount) => account.granted_at < batch.created_at;
    const { rows, isWhole } = await readAccounts(undefined, isOlder, call.signal);
    return { rows: rows.filter(({ grant_batch_id }) => grant_batch_id === batch.grant_batch_id), isWhole };
  });

/** The running bonus of each wallet. */
export const useRunningBonuses = () =>
  useAdmin([BONUS, "running"], async (call): Promise<ReadonlyMap<string, BonusAccount>> => {
    const found = new Map<string, BonusAccount>();
    for (const status of RUNNING_STATUSES) {
      const { rows } = await readAccounts(status, () => false, call.signal);
      for (const account of rows) found.set(account.address, account);
    }
    return found;
  });

export const useRisk = (min_score: number) =>
  useAdmin([BONUS, "risk", min_score], (call) => staffApi.bonusAdmin.risk({ min_score, limit: MAX_ROWS }, call), {
    staleTime: REPORT_STALE_MS,
    refetchOnWindowFocus: false,
  });
