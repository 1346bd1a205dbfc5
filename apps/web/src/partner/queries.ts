import { type BrokerOverview, RequestRefused } from "@bourse/api/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, staffApi } from "../session/session.ts";

/** Figures of a day that still runs are settled every hour; a minute is soon enough. */
const REFRESH_MS = 60_000;

const refreshed = { refetchInterval: REFRESH_MS } as const;

/** Null for a wallet that is no partner, or a frozen one: the interface tells both alike, and it is an answer, no fault. */
async function readOverview(signal: AbortSignal): Promise<BrokerOverview | null> {
  try {
    return await api.broker.overview({ signal });
  } catch (error) {
    if (error instanceof RequestRefused && error.code === "NOT_A_BROKER") return null;
    throw error;
  }
}

export const useOverview = (isEnabled = true) =>
  useQuery({
    queryKey: ["partner", "overview"],
    queryFn: ({ signal }) => readOverview(signal),
    enabled: isEnabled,
    // Whoever is no partner becomes one by a code, which asks again.
    refetchInterval: ({ state }) => (state.data === null ? false : REFRESH_MS),
  });

export const useRebateTrend = () =>
  useQuery({
    queryKey: ["partner", "trend"],
    queryFn: ({ signal }) => api.broker.rebateTrend({ signal }),
    ...refreshed,
  });

/** Of the last 30 days. */
export const usePerformance = () =>
  useQuery({ queryKey: ["partner", "performance"], queryFn: ({ signal }) => api.broker.performance({}, { signal }) });

export const useInviteCodes = () =>
  useQuery({ queryKey: ["partner", "codes"], queryFn: ({ signal }) => api.broker.inviteCodes({}, { signal }) });

export const useDownlines = () =>
  useQuery({ queryKey: ["partner", "downlines"], queryFn: ({ signal }) => api.broker.downlines({}, { signal }) });

export const useRecords = (period: string | undefined) =>
  useQuery({
    queryKey: ["partner", "records", period],
    queryFn: ({ signal }) => api.broker.rebateRecords({ period }, { signal }),
    ...refreshed,
  });

export const useShareIncome = (period: string | undefined) =>
  useQuery({
    queryKey: ["partner", "share-income", period],
    queryFn: ({ signal }) => api.broker.shareIncome({ period }, { signal }),
  });

export const useMyRebates = (period?: string) =>
  useQuery({
    queryKey: ["partner", "my-rebate", period],
    queryFn: ({ signal }) => api.broker.myRebate({ period }, { signal }),
  });

export const useAffiliateRecords = (period?: string) =>
  useQuery({
    queryKey: ["partner", "affiliate", period],
    queryFn: ({ signal }) => api.broker.affiliateRecords({ period }, { signal }),
  });

export const useSkippedFills = (from: string | undefined, to: string | undefined) =>
  useQuery({
    queryKey: ["partner", "skipped", from, to],
    queryFn: ({ signal }) => api.broker.skippedFills({ from, to, limit: 500 }, { signal }),
  });

export const useMyPayouts = () =>
  useQuery({
    queryKey: ["partner", "payouts"],
    queryFn: ({ signal }) => api.broker.myPayouts({ limit: 100 }, { signal }),
    ...refreshed,
  });

export const useBrokerBoard = (offset: number, limit: number) =>
  useQuery({
    queryKey: ["partner", "leaderboard", offset, limit],
    queryFn: ({ signal }) => api.broker.leaderboard({ offset, limit }, { signal }),
    placeholderData: (before) => before,
  });

export const useWhatIf = (customer_rebate_ratio: string, days: number) =>
  useQuery({
    queryKey: ["partner", "what-if", customer_rebate_ratio, days],
    queryFn: ({ signal }) => api.broker.whatIf({ customer_rebate_ratio, days }, { signal }),
    placeholderData: (before) => before,
  });

export const useExplain = (id: string) =>
  useQuery({ queryKey: ["partner", "explain", id], queryFn: ({ signal }) => api.broker.explainRebate(id, { signal }) });

/** The day's root is asked for apart from the proof, so that the proof is held against what was published. */
export const useProof = (id: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ["partner", "proof", id],
    queryFn: async ({ signal }) => {
      const proof = await api.broker.rebateProof(id, { signal });
      const published = await api.broker.settlementRoot(proof.period, { signal });
      return { proof, published };
    },
    enabled: isEnabled,
  });

/** The wallet's standing with codes on the chain, which are apart from the partner program. */
export const useChainReferral = (address: string) =>
  useQuery({
    queryKey: ["partner", "on-chain", address],
    queryFn: async ({ signal }) => {
      const [info, rebate] = await Promise.all([
        api.referral.info(address, { signal }),
        api.referral.userRebate(address, { signal }),
      ]);
      return { info, rebate };
    },
  });

/** After anything that changes who one is or what one has in the program. */
export function usePartnerRenewal(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["partner"] });
}

// The BD desk.

export const useBdDashboard = () =>
  useQuery({ queryKey: ["bd", "dashboard"], queryFn: ({ signal }) => staffApi.bd.dashboard({ signal }), ...refreshed });
export const useBdKols = () =>
  useQuery({ queryKey: ["bd", "kols"], queryFn: ({ signal }) => staffApi.bd.kols({ signal }), ...refreshed });
export const useBdDownlines = () =>
  useQuery({ queryKey: ["bd", "downlines"], queryFn: ({ signal }) => staffApi.bd.downlines({ signal }) });
export const useBdCodes = () =>
  useQuery({ queryKey: ["bd", "codes"], queryFn: ({ signal }) => staffApi.bd.inviteCodes({ signal }) });
