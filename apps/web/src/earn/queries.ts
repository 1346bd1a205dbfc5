import type { EarnSubscription, ProductStatus } from "@bourse/api/client";
import { queryClient } from "../app/query-client.ts";
import { walletBalanceKey } from "../chain/access.ts";
import { useRead } from "../lib/use-read.ts";
import { api, useSession } from "../session/session.ts";

/** Positions and products change with time and with what others do. */
const REFRESH_MS = 10_000;
const SOLVENCY_REFRESH_MS = 60_000;
const MAX_ROWS = 100;

export const useProducts = (status: ProductStatus | undefined) =>
  useRead(["earn", "products", status ?? "all"], (call) => api.earn.products({ status, page_size: MAX_ROWS }, call), {
    refetchInterval: REFRESH_MS,
  });

export const useProduct = (id: string) =>
  useRead(["earn", "product", id], (call) => api.earn.product(id, call), { refetchInterval: REFRESH_MS });

export const useSolvency = (id: string) =>
  useRead(["earn", "solvency", id], (call) => api.earn.solvency(id, call), {
    staleTime: SOLVENCY_REFRESH_MS / 2,
    refetchInterval: SOLVENCY_REFRESH_MS,
  });

export async function readPositions(signal?: AbortSignal): Promise<EarnSubscription[]> {
  const { subscriptions } = await api.earn.subscriptions({ page_size: MAX_ROWS }, { signal });
  return subscriptions;
}

export function usePositions() {
  const session = useSession("wallet");
  return useRead(["earn", "positions", session?.name], (call) => readPositions(call.signal), {
    enabled: session !== undefined,
    refetchInterval: REFRESH_MS,
  });
}

/** After something was paid in or out. */
export async function refreshEarn(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["earn"] }),
    queryClient.invalidateQueries({ queryKey: walletBalanceKey }),
  ]);
}
