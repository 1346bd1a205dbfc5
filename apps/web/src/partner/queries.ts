import { type BrokerOverview, RequestRefused } from "@bourse/api/client";
import { useQueryClient } from "@tanstack/react-query";
import { useRead } from "../lib/use-read.ts";
import { api, staffApi } from "../session/session.ts";

/** Figures of the running day are settled every hour, so a minute is often enough. */
const REFRESH_MS = 60_000;

const refreshed = { refetchInterval: REFRESH_MS } as const;

/** Null for a wallet that is no partner or is frozen: the interface does not tell them apart. It is an answer, not an error. */
async function readOverview(signal: AbortSignal): Promise<BrokerOverview | null> {
  try {
    return await api.broker.overview({ signal });
  } catch (error) {
    if (error instanceof RequestRefused && error.code === "NOT_A_BROKER") return null;
    throw error;
  }
}

export const useOverview = (isEnabled = true) =>
  useRead(["partner", "overview"], (call) => readOverview(call.signal), {
    enabled: isEnabled,
    refetchInterval: ({ state }) => (state.data === null ? false : REFRESH_MS),
  });

export const useRebateTrend = () => useRead(["partner", "trend"], (call) => api.broker.rebateTrend(call), refreshed);

/** Of the last 30 days. */
export const usePerformance = () => useRead(["partner", "performance"], (call) => api.broker.performance({}, call));

export const useInviteCodes = () => useRead(["partner", "codes"], (call) => api.broker.inviteCodes({}, call));

export const useDownlines = () => useRead(["partner", "downlines"], (call) => api.broker.downlines({}, call));

export const useRecords = (period: string | undefined) =>
  useRead(["partner", "records", period], (call) => api.broker.rebateRecords({ period }, call), refreshed);

export const useShareIncome = (period: string | undefined) =>
  useRead(["partner", "share-income", period], (call) => api.broker.shareIncome({ period }, call));

export const useMyRebates = (period?: string) =>
  useRead(["partner", "my-rebate", period], (call) => api.broker.myRebate({ period }, call));

export const useAffiliateRecords = (period?: string) =>
  useRead(["partner", "affiliate", period], (call) => api.broker.affiliateRecords({ period }, call));

export const useSkippedFills = (from: string | undefined, to: string | undefined) =>
  useRead(["partner", "skipped", from, to], (call) => api.broker.skippedFills({ from, to, limit: 500 }, call));

export const useMyPayouts = () =>
  useRead(["partner", "payouts"], (call) => api.broker.myPayouts({ limit: 100 }, call), refreshed);

export const useBrokerBoard = (offset: number, limit: number) =>
  useRead(["partner", "leaderboard", offset, limit], (call) => api.broker.leaderboard({ offset, limit }, call), {
    placeholderData: (before) => before,
  });

export const useWhatIf = (customer_rebate_ratio: string, days: number) =>
  useRead(
    ["partner", "what-if", customer_rebate_ratio, days],
    (call) => api.broker.whatIf({ customer_rebate_ratio, days }, call),
    { placeholderData: (before) => before },
  );

export const useExplain = (id: string) =>
  useRead(["partner", "explain", id], (call) => api.broker.explainRebate(id, call));

/** The published root is read separately, so that the proof is checked against it. */
export const useProof = (id: string, isEnabled: boolean) =>
  useRead(
    ["partner", "proof", id],
    async (call) => {
      const proof = await api.broker.rebateProof(id, call);
      const published = await api.broker.settlementRoot(proof.period, call);
      return { proof, published };
    },
    { enabled: isEnabled },
  );

/** The wallet's on-chain referral, which is separate from the broker program. */
export const useChainReferral = (address: string) =>
  useRead(["partner", "on-chain", address], async (call) => {
    const [info, rebate] = await Promise.all([
      api.referral.info(address, call),
      api.referral.userRebate(address, call),
    ]);
    return { info, rebate };
  });

/** Call it after a change of the wallet's role or codes. */
export function usePartnerRenewal(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["partner"] });
}

// The BD desk.

export const useBdDashboard = () => useRead(["bd", "dashboard"], (call) => staffApi.bd.dashboard(call), refreshed);
export const useBdKols = () => useRead(["bd", "kols"], (call) => staffApi.bd.kols(call), refreshed);
export const useBdDownlines = () => useRead(["bd", "downlines"], (call) => staffApi.bd.downlines(call));
export const useBdCodes = () => useRead(["bd", "codes"], (call) => staffApi.bd.inviteCodes(call));
