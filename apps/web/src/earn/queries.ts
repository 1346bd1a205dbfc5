import type { EarnSubscription, ProductStatus } from "@bourse/api/client";
import { useQuery } from "@tanstack/react-query";
import { queryClient } from "../app/query-client.ts";
import { walletBalanceKey } from "../chain/access.ts";
import { api, useSession } from "../session/session.ts";

/** Positions and products change with time and with what others do. */
const REFRESH_MS = 10_000;
const SOLVENCY_REFRESH_MS = 60_000;
const MOST_ROWS = 100;

export const useProducts = (status: ProductStatus | undefined) =>
  useQuery({
    queryKey: ["earn", "products", status ?? "all"],
    queryFn: ({ signal }) => api.earn.products({ status, page_size: MOST_ROWS }, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const useProduct = (id: string) =>
  useQuery({
    queryKey: ["earn", "product", id],
    queryFn: ({ signal }) => api.earn.product(id, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const useSolvency = (id: string) =>
  useQuery({
    queryKey: ["earn", "solvency", id],
    queryFn: ({ signal }) => api.earn.solvency(id, { signal }),
    staleTime: SOLVENCY_REFRESH_MS / 2,
    refetchInterval: SOLVENCY_REFRESH_MS,
  });

export async function readPositions(signal?: AbortSignal): Promise<EarnSubscription[]> {
  const { subscriptions } = await api.earn.subscriptions({ page_size: MOST_ROWS }, { signal });
  return subscriptions;
}

export function usePositions() {
  const session = useSession("wallet");
  return useQuery({
    queryKey: ["earn", "positions", session?.name],
    queryFn: ({ signal }) => readPositions(signal),
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
