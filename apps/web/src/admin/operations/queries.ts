import { useReadPages } from "../../lib/use-read.ts";
import { api, staffApi } from "../../session/session.ts";
import { adminKey, useAdmin } from "../frame/write.ts";

const REFRESH_MS = 10_000;
const AUDIT_PAGE = 100;

export const useReadiness = () =>
  useAdmin(["readiness"], (call) => api.operations.readiness(call), { refetchInterval: REFRESH_MS });

export const useLiveness = () =>
  useAdmin(["liveness"], (call) => api.operations.liveness(call), { refetchInterval: REFRESH_MS });

/** A check reads everything, so it runs on request and not by a timer. */
export const useInvariants = () =>
  useAdmin(["invariants"], async (call) => (await staffApi.exchangeAdmin.invariants(call)).invariants, {
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });

export const useSwitches = () =>
  useAdmin(["switches"], (call) => staffApi.exchangeAdmin.switches(call), { refetchInterval: REFRESH_MS });

/** The newest audit entry of an action: when, by whom and why. */
export const useLastAudit = (action: string) =>
  useAdmin(
    ["audit", "last", action],
    async (call) => (await staffApi.operations.auditLog({ action, limit: 1 }, call)).items[0] ?? null,
  );

export const useMarkets = () =>
  useAdmin(["markets"], async (call) => (await staffApi.exchangeAdmin.markets(call)).items, {
    refetchInterval: REFRESH_MS,
  });

/** INV-10. */
export const useFund = () =>
  useAdmin(["fund"], (call) => staffApi.exchangeAdmin.fund(call), { refetchInterval: REFRESH_MS });

/** INV-11, page by page. */
export const useTransfers = () =>
  useReadPages(adminKey("transfers"), (cursor, call) => staffApi.exchangeAdmin.transfers({ cursor }, call));

/** BON-12, VLT-4: page by page, the oldest first. */
export const useWithdrawalReviews = () =>
  useReadPages(adminKey("withdrawal-reviews"), (cursor, call) =>
    staffApi.exchangeAdmin.withdrawalReviews({ cursor }, call),
  );

export const useMarketRules = (symbol: string) =>
  useAdmin(["market-rules", symbol], (call) => staffApi.exchangeAdmin.marketRules(symbol, call));

export const usePrices = () =>
  useAdmin(["prices"], async (call) => (await staffApi.exchangeAdmin.prices(call)).items, {
    refetchInterval: REFRESH_MS,
  });

export const useJobs = () =>
  useAdmin(["jobs"], async (call) => (await staffApi.operations.jobs(call)).items, {
    refetchInterval: REFRESH_MS,
  });

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
}

/** Newest first, page by page. */
export const useAuditLog = (filter: AuditFilter) =>
  useReadPages(adminKey("audit", "pages", filter), (cursor, call) =>
    staffApi.operations.auditLog({ ...filter, limit: AUDIT_PAGE, cursor }, call),
  );
