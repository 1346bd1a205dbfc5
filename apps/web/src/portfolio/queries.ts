import type { AccountIncome, EquityPoint, Given, IncomeQuery, IncomeType } from "@bourse/api/client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { queryClient } from "../app/query-client.ts";
import { walletBalanceKey } from "../chain/access.ts";
import { serverNow } from "../lib/server-time.ts";
import { api, useSession } from "../session/session.ts";
import { isOpen } from "./funds/movements.ts";
import { readPages } from "./pages.ts";

/** Balances move with the market. */
const ACCOUNT_REFRESH_MS = 5_000;
const SLOW_REFRESH_MS = 60_000;
const PAGE = 500;

/** The first part of every key; the wallet keeps those of two wallets apart. */
export const useKey = (...parts: readonly unknown[]): readonly unknown[] => [
  "portfolio",
  useSession("wallet")?.name,
  ...parts,
];

export const useAccount = () =>
  useQuery({
    queryKey: useKey("account"),
    queryFn: ({ signal }) => api.account.unified({ signal }),
    refetchInterval: ACCOUNT_REFRESH_MS,
  });

/** Full hours since then, oldest first. */
export const useEquity = (since_ms: number | undefined, rangeName: string) =>
  useQuery({
    queryKey: useKey("equity", rangeName),
    queryFn: ({ signal }): Promise<EquityPoint[]> => {
      const start_time = since_ms === undefined ? undefined : Math.max(0, Math.floor(serverNow() - since_ms));
      return readPages(
        (cursor) => api.account.equityHistory({ start_time, cursor, limit: PAGE, order: "desc" }, { signal }),
        ({ history }) => history,
      ).then((points) => points.reverse());
    },
    staleTime: SLOW_REFRESH_MS,
    refetchInterval: 5 * SLOW_REFRESH_MS,
  });

const readIncome = (query: Given<IncomeQuery>, signal: AbortSignal): Promise<AccountIncome[]> =>
  readPages(
    (cursor) => api.account.income({ ...query, cursor, limit: PAGE, order: "desc" }, { signal }),
    ({ income }) => income,
  );

/** Money that came from outside and left for it: no profit and no loss. */
export const useTransfers = () =>
  useQuery({
    queryKey: useKey("transfers"),
    queryFn: async ({ signal }) => {
      const [transfers, bonus] = await Promise.all([
        readIncome({ type: "TRANSFER" }, signal),
        readIncome({ type: "WELCOME_BONUS" }, signal),
      ]);
      return { transfers, bonus };
    },
    refetchInterval: SLOW_REFRESH_MS,
  });

export interface IncomeFilter {
  readonly type: IncomeType | undefined;
  readonly symbol: string | undefined;
}

export const useIncome = (filter: IncomeFilter) =>
  useInfiniteQuery({
    queryKey: useKey("income", filter.type, filter.symbol),
    queryFn: ({ pageParam, signal }) =>
      api.account.income({ ...filter, cursor: pageParam, limit: PAGE / 5, order: "desc" }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

/** Deposits and withdrawals; only what is on its way changes by itself. */
export const useMovements = () =>
  useQuery({
    queryKey: useKey("movements"),
    queryFn: async ({ signal }) => {
      const query = { limit: PAGE, order: "desc" } as const;
      const [{ deposits }, { withdrawals }] = await Promise.all([
        api.account.deposits(query, { signal }),
        api.account.withdrawals(query, { signal }),
      ]);
      return { deposits, withdrawals };
    },
    refetchInterval: ({ state: { data } }) =>
      [...(data?.deposits ?? []), ...(data?.withdrawals ?? [])].some(isOpen) ? ACCOUNT_REFRESH_MS : false,
  });

export const useWithdrawAddresses = () =>
  useQuery({
    queryKey: useKey("addresses"),
    queryFn: ({ signal }) => api.account.withdrawAddresses({ signal }),
  });

/** For everybody; signed in with the wallet's own terms. */
export const useFees = () =>
  useQuery({
    queryKey: useKey("fees"),
    queryFn: ({ signal }) => api.account.feeInfo({ signal }),
    refetchInterval: SLOW_REFRESH_MS,
  });

export const useApiKeys = () =>
  useQuery({ queryKey: useKey("keys"), queryFn: ({ signal }) => api.account.apiKeys({ signal }) });

export const useBonus = () =>
  useQuery({
    queryKey: useKey("bonus"),
    queryFn: ({ signal }) => api.bonus.mine({ signal }),
    refetchInterval: 2 * ACCOUNT_REFRESH_MS,
  });

export const useBonusLedger = () =>
  useInfiniteQuery({
    queryKey: useKey("bonus-ledger"),
    queryFn: ({ pageParam, signal }) =>
      api.bonus.ledger({ cursor: pageParam, limit: PAGE / 5, order: "desc" }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });

/** After money has moved. */
export async function refreshPortfolio(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["portfolio"] }),
    queryClient.invalidateQueries({ queryKey: walletBalanceKey }),
  ]);
}
