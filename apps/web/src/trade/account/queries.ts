import type {
  AccountOrderPage,
  AccountTradePage,
  FeeInfo,
  MarginModeReply,
  MyBonus,
  UnifiedAccount,
} from "@bourse/api/client";
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { api, useSession } from "../../session/session.ts";
import { type OwnOrders, ordersFromRest } from "./orders-model.ts";

/** Everything of a wallet begins with its address, so that nobody sees what belonged to whoever was here before. */
export const accountKeys = {
  all: (address: string | undefined) => ["trade", "account", address] as const,
  unified: (address: string | undefined) => ["trade", "account", address, "unified"] as const,
  orders: (address: string | undefined) => ["trade", "account", address, "orders"] as const,
  settings: (address: string | undefined) => ["trade", "account", address, "settings"] as const,
  bonus: (address: string | undefined) => ["trade", "account", address, "bonus"] as const,
  fees: (address: string | undefined) => ["trade", "account", address, "fees"] as const,
  history: (address: string | undefined) => ["trade", "account", address, "history"] as const,
};

/** Liquidation prices and margins move with the market while there is a position. */
const FIGURES_REFRESH_MS = 5_000;
const PAGE_ROWS = 50;

interface Reading {
  readonly signal: AbortSignal;
}

export const unifiedQuery = (address: string | undefined) => ({
  queryKey: accountKeys.unified(address),
  queryFn: ({ signal }: Reading): Promise<UnifiedAccount> => api.account.unified({ signal }),
});

/** The stream keeps them current; read once, and where the stream is silent. */
export const ordersQuery = (address: string | undefined) => ({
  queryKey: accountKeys.orders(address),
  queryFn: async ({ signal }: Reading): Promise<OwnOrders> => {
    const [{ orders }, algos] = await Promise.all([
      api.account.openOrders({}, { signal }),
      api.orders.openAlgos({}, { signal }),
    ]);
    return ordersFromRest(orders, algos);
  },
});

function useAddress(): string | undefined {
  return useSession("wallet")?.name;
}

export function useUnifiedAccount(): UseQueryResult<UnifiedAccount> {
  const address = useAddress();
  return useQuery({
    ...unifiedQuery(address),
    enabled: address !== undefined,
    refetchInterval: ({ state }) => (state.data?.positions.length ? FIGURES_REFRESH_MS : false),
  });
}

export function useOwnOrders(): UseQueryResult<OwnOrders> {
  const address = useAddress();
  return useQuery({ ...ordersQuery(address), enabled: address !== undefined, staleTime: Number.POSITIVE_INFINITY });
}

/** Leverage and margin mode of every market. */
export function useSymbolSettings(): UseQueryResult<readonly MarginModeReply[]> {
  const address = useAddress();
  return useQuery({
    queryKey: accountKeys.settings(address),
    queryFn: async ({ signal }: Reading) => (await api.account.marginModes(undefined, { signal })).margin_modes,
    enabled: address !== undefined,
  });
}

export function useMyBonus(isWanted: boolean): UseQueryResult<MyBonus> {
  const address = useAddress();
  return useQuery({
    queryKey: accountKeys.bonus(address),
    queryFn: ({ signal }: Reading) => api.bonus.mine({ signal }),
    enabled: isWanted && address !== undefined,
  });
}

const FEES_REFRESH_MS = 60_000;

/** The schedule for anyone, the own terms for whoever is signed in. */
export function useFeeInfo(): UseQueryResult<FeeInfo> {
  const address = useAddress();
  return useQuery({
    queryKey: accountKeys.fees(address),
    queryFn: ({ signal }: Reading) => api.account.feeInfo({ signal }),
    staleTime: FEES_REFRESH_MS,
  });
}

type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>;

function useHistory<Page extends { readonly next_cursor: string | null }>(
  name: string,
  symbol: string | undefined,
  read: (query: object, reading: Reading) => Promise<Page>,
): Pages<Page> {
  const address = useAddress();
  return useInfiniteQuery({
    queryKey: [...accountKeys.history(address), name, symbol ?? "all"],
    queryFn: ({ pageParam, signal }) =>
      read(
        { order: "desc", limit: PAGE_ROWS, symbol, ...(pageParam === null ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: address !== undefined,
  });
}

/** Newest first; of one market, or of all. */
export const useOrderHistory = (symbol: string | undefined): Pages<AccountOrderPage> =>
  useHistory("orders", symbol, (query, reading) => api.account.orders(query, reading));

export const useTradeHistory = (symbol: string | undefined): Pages<AccountTradePage> =>
  useHistory("trades", symbol, (query, reading) => api.account.trades(query, reading));
