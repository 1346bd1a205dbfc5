import type {
  AccountOrderPage,
  AccountTradePage,
  FeeInfo,
  MarginModeReply,
  MyBonus,
  UnifiedAccount,
} from "@bourse/api/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type Call, type CursorPage, type Pages, useRead, useReadPages } from "../../lib/use-read.ts";
import { api, useSession } from "../../session/session.ts";
import { type OwnOrders, ordersFromRest } from "./orders-model.ts";

/** Keys begin with the wallet's address, so that a wallet never sees data of the one signed in before. */
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

export const unifiedQuery = (address: string | undefined) => ({
  queryKey: accountKeys.unified(address),
  queryFn: ({ signal }: Call): Promise<UnifiedAccount> => api.account.unified({ signal }),
});

/** The stream keeps them current: they are read once, and when the stream has a gap. */
export const ordersQuery = (address: string | undefined) => ({
  queryKey: accountKeys.orders(address),
  queryFn: async ({ signal }: Call): Promise<OwnOrders> => {
    const [{ items: orders }, algos] = await Promise.all([
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
  return useRead(
    accountKeys.settings(address),
    async (call) => (await api.account.marginModes(undefined, call)).items,
    { enabled: address !== undefined },
  );
}

export function useMyBonus(isWanted: boolean): UseQueryResult<MyBonus> {
  const address = useAddress();
  return useRead(accountKeys.bonus(address), (call) => api.bonus.mine(call), {
    enabled: isWanted && address !== undefined,
  });
}

const FEES_REFRESH_MS = 60_000;

/** The fee schedule, with the wallet's own rates when signed in. */
export function useFeeInfo(): UseQueryResult<FeeInfo> {
  const address = useAddress();
  return useRead(accountKeys.fees(address), (call) => api.account.feeInfo(call), { staleTime: FEES_REFRESH_MS });
}

function useHistory<Page extends CursorPage<unknown>>(
  name: string,
  symbol: string | undefined,
  read: (query: object, call: Call) => Promise<Page>,
): Pages<Page> {
  const address = useAddress();
  return useReadPages(
    [...accountKeys.history(address), name, symbol ?? "all"],
    (cursor, call) => read({ order: "desc", limit: PAGE_ROWS, symbol, cursor }, call),
    { isEnabled: address !== undefined },
  );
}

/** Newest first; of one market, or of all. */
export const useOrderHistory = (symbol: string | undefined): Pages<AccountOrderPage> =>
  useHistory("orders", symbol, (query, call) => api.account.orders(query, call));

export const useTradeHistory = (symbol: string | undefined): Pages<AccountTradePage> =>
  useHistory("trades", symbol, (query, call) => api.account.trades(query, call));
