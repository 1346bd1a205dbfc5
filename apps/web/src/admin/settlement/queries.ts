import { type PayoutBatch, type PayoutRecord, RequestRefused, type SettlementRoot } from "@bourse/api/client";
import { useReadPages } from "../../lib/use-read.ts";
import { staffApi } from "../../session/session.ts";
import { adminKey, useAdmin } from "../frame/write.ts";

const NOT_FOUND = 404;
/** The most the server hands out at once. */
const PAGE = 500;
const MAX_PAGES = 10;
const BATCHES_PAGE = 20;
const PAYEES_PAGE = 100;
/** While money is under way. */
const UNDER_WAY_MS = 5_000;

export type PaymentFilter = "pending" | "paid" | "all";

/** Null: the day has not been settled. */
export async function readRoot(period: string, signal?: AbortSignal): Promise<SettlementRoot | null> {
  try {
    return await staffApi.broker.settlementRoot(period, { signal });
  } catch (error) {
    if (error instanceof RequestRefused && error.status === NOT_FOUND) return null;
    throw error;
  }
}

export const useRoot = (period: string | undefined) =>
  useAdmin(["root", period], (call) => readRoot(period ?? "", call.signal), { enabled: period !== undefined });

export interface AllRecords {
  readonly records: readonly PayoutRecord[];
  readonly total: number;
}

/** All records that match, as far as they can be read in a few pages; `total` says how many there are. */
export async function readRecords(
  query: { readonly period?: string | undefined; readonly status: PaymentFilter },
  signal?: AbortSignal,
): Promise<AllRecords> {
  const records: PayoutRecord[] = [];
  for (let page = 1; ; page += 1) {
    const reply = await staffApi.brokerAdmin.payoutList({ ...query, page, per_page: PAGE }, { signal });
    records.push(...reply.records);
    const isLast = reply.records.length < PAGE || page === MAX_PAGES;
    if (isLast) return { records, total: reply.total };
  }
}

export const useAllRecords = (status: PaymentFilter, period?: string) =>
  useAdmin(["all-records", status, period ?? "all"], (call) => readRecords({ period, status }, call.signal));

export const useRecordsPage = (query: {
  readonly period?: string | undefined;
  readonly status: PaymentFilter;
  readonly page: number;
  readonly per_page: number;
}) =>
  useAdmin(["records", query], (call) => staffApi.brokerAdmin.payoutList(query, call), {
    placeholderData: (before) => before,
  });

export const useExplained = (id: string) =>
  useAdmin(["explain", id], (call) => staffApi.broker.explainRebate(id, call));

const whilePaying = (batches: readonly Pick<PayoutBatch, "status">[]) =>
  batches.some(({ status }) => status === "paying") ? UNDER_WAY_MS : undefined;

export const useNewestBatches = (limit: number) =>
  useAdmin(["batches", "newest", limit], (call) => staffApi.brokerAdmin.payoutBatches({ limit }, call), {
    refetchInterval: ({ state }) => whilePaying(state.data?.items ?? []) ?? false,
  });

/** Newest first, page by page. */
export const useBatches = () =>
  useReadPages(
    adminKey("batches", "pages"),
    (cursor, call) => staffApi.brokerAdmin.payoutBatches({ limit: BATCHES_PAGE, cursor }, call),
    { refreshAfter_ms: (pages) => whilePaying(pages.flatMap(({ items }) => items)) },
  );

/** A batch with its payees; each page repeats the batch. */
export const useBatch = (id: string) =>
  useReadPages(
    adminKey("batch", id),
    (cursor, call) => staffApi.brokerAdmin.payoutBatch(id, { limit: PAYEES_PAGE, cursor }, call),
    { refreshAfter_ms: (pages) => whilePaying(pages) },
  );
