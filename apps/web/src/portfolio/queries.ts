import type { AccountIncome, EquityPoint, Given, IncomeQuery, IncomeType } from "@bourse/api/client";
import { queryClient } from "../app/query-client.ts";
import { walletBalanceKey } from "../chain/access.ts";
import { serverNow } from "../lib/server-time.ts";
import { useRead, useReadPages } from "../lib/use-read.ts";
import { api, useSession } from "../session/session.ts";
import { isOpen } from "./funds/movements.ts";
import { readPages } from "./pages.ts";

/** Balances move with the market. */
const ACCOUNT_REFRESH_MS = 5_000;
const SLOW_REFRESH_MS = 60_000;
const PAGE = 500;

/** The first part of every key. The wallet keeps the data of two wallets apart. */
export const useKey = (...parts: readonly unknown[]): readonly unknown[] => [
  "portfolio",
  useSession("wallet")?.name,
  ...parts,
];

export const useAccount = () =>
  useRead(useKey("account"), (call) => api.account.unified(call), { refetchInterval: ACCOUNT_REFRESH_MS });

/** What of the wallet's money is held, and why. */
export const useHolds = () =>
  useRead(useKey("holds"), (call) => api.account.holds(call), { refetchInterval: SLOW_REFRESH_MS });

/** Full hours since then, oldest first. */
export const useEquity = (since_ms: number | undefined, rangeName: string) =>
  useRead(
    useKey("equity", rangeName),
    (call): Promise<EquityPoint[]> => {
      const start_time = since_ms === undefined ? undefined : Math.max(0, Math.floor(serverNow() - since_ms));
      return readPages((cursor) =>
        api.account.equityHistory({ start_time, cursor, limit: PAGE, order: "desc" }, call),
      ).then((points) => points.reverse());
    },
    { staleTime: SLOW_REFRESH_MS, refetchInterval: 5 * SLOW_REFRESH_MS },
  );

const readIncome = (query: Given<IncomeQuery>, signal: AbortSignal): Promise<AccountIncome[]> =>
  readPages((cursor) => api.account.income({ ...query, cursor, limit: PAGE, order: "desc" }, { signal }));

/** Deposits, withdrawals and bonuses: neither profit nor loss. */
export const useTransfers = () =>
  useRead(
    useKey("transfers"),
    async (call) => {
      const [transfers, bonus] = await Promise.all([
        readIncome({ type: "TRANSFER" }, call.signal),
        readIncome({ type: "WELCOME_BONUS" }, call.signal),
      ]);
      return { transfers, bonus };
    },
    { refetchInterval: SLOW_REFRESH_MS },
  );

export interface IncomeFilter {
  readonly type: IncomeType | undefined;
  readonly symbol: string | undefined;
}

export const useIncome = (filter: IncomeFilter) =>
  useReadPages(useKey("income", filter.type, filter.symbol), (cursor, call) =>
    api.account.income({ ...filter, cursor, limit: PAGE / 5, order: "desc" }, call),
  );

/** Deposits and withdrawals; refreshed while one of them is under way. */
export const useMovements = () =>
  useRead(
    useKey("movements"),
    async (call) => {
      const query = { limit: PAGE, order: "desc" } as const;
      const [{ items: deposits }, { items: withdrawals }] = await Promise.all([
        api.account.deposits(query, call),
        api.account.withdrawals(query, call),
      ]);
      return { deposits, withdrawals };
    },
    {
      refetchInterval: ({ state: { data } }) =>
        [...(data?.deposits ?? []), ...(data?.withdrawals ?? [])].some(isOpen) ? ACCOUNT_REFRESH_MS : false,
    },
  );

export const useWithdrawAddresses = () => useRead(useKey("addresses"), (call) => api.account.withdrawAddresses(call));

/** The fee schedule, with the wallet's own rates when signed in. */
export const useFees = () =>
  useRead(useKey("fees"), (call) => api.account.feeInfo(call), { refetchInterval: SLOW_REFRESH_MS });

export const useApiKeys = () => useRead(useKey("keys"), (call) => api.account.apiKeys(call));

export const useBonus = () =>
  useRead(useKey("bonus"), (call) => api.bonus.mine(call), { refetchInterval: 2 * ACCOUNT_REFRESH_MS });

export const useBonusLedger = () =>
  useReadPages(useKey("bonus-ledger"), (cursor, call) =>
    api.bonus.ledger({ cursor, limit: PAGE / 5, order: "desc" }, call),
  );

/** After money has moved. */
export async function refreshPortfolio(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["portfolio"] }),
    queryClient.invalidateQueries({ queryKey: walletBalanceKey }),
  ]);
}
