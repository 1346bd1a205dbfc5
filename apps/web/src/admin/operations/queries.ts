import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, staffApi } from "../../session/session.ts";
import { ADMIN } from "../frame/write.ts";

const REFRESH_MS = 10_000;
const AUDIT_PAGE = 100;

export const useReadiness = () =>
  useQuery({
    queryKey: [ADMIN, "readiness"],
    queryFn: ({ signal }) => api.operations.readiness({ signal }),
    refetchInterval: REFRESH_MS,
  });

export const useLiveness = () =>
  useQuery({
    queryKey: [ADMIN, "liveness"],
    queryFn: ({ signal }) => api.operations.liveness({ signal }),
    refetchInterval: REFRESH_MS,
  });

/** A look reads everything there is, so it is taken when somebody wants it and not by the clock. */
export const useInvariants = () =>
  useQuery({
    queryKey: [ADMIN, "invariants"],
    queryFn: async ({ signal }) => (await staffApi.exchangeAdmin.invariants({ signal })).invariants,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });

export const useSwitches = () =>
  useQuery({
    queryKey: [ADMIN, "switches"],
    queryFn: ({ signal }) => staffApi.exchangeAdmin.switches({ signal }),
    refetchInterval: REFRESH_MS,
  });

/** The newest entry of an action: since when, by whom and why. */
export const useLastAudit = (action: string) =>
  useQuery({
    queryKey: [ADMIN, "audit", "last", action],
    queryFn: async ({ signal }) =>
      (await staffApi.operations.auditLog({ action, limit: 1 }, { signal })).entries[0] ?? null,
  });

export const useMarkets = () =>
  useQuery({
    queryKey: [ADMIN, "markets"],
    queryFn: async ({ signal }) => (await staffApi.exchangeAdmin.markets({ signal })).markets,
    refetchInterval: REFRESH_MS,
  });

export const usePrices = () =>
  useQuery({
    queryKey: [ADMIN, "prices"],
    queryFn: async ({ signal }) => (await staffApi.exchangeAdmin.prices({ signal })).prices,
    refetchInterval: REFRESH_MS,
  });

export const useJobs = () =>
  useQuery({
    queryKey: [ADMIN, "jobs"],
    queryFn: async ({ signal }) => (await staffApi.operations.jobs({ signal })).jobs,
    refetchInterval: REFRESH_MS,
  });

export interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
}

/** Newest first, page by page. */
export const useAuditLog = (filter: AuditFilter) =>
  useInfiniteQuery({
    queryKey: [ADMIN, "audit", "pages", filter],
    queryFn: ({ pageParam, signal }) =>
      staffApi.operations.auditLog({ ...filter, limit: AUDIT_PAGE, before: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
  });
