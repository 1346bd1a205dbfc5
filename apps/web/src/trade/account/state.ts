import type { UnifiedAccount } from "@bourse/api/client";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { queryClient } from "../../app/query-client.ts";
import { sessions } from "../../session/session.ts";
import { privateFeed } from "../../streams/private-feed.ts";
import { markOf } from "../market/channels.ts";
import { useMarkets } from "../market/market-data.ts";
import { AccountFollower } from "./follower.ts";
import { type LiveFigures, liveFigures } from "./margin.ts";
import { tellNews } from "./news.ts";

const follower = new AccountFollower({
  queryClient,
  subscribe: (listener) => privateFeed.subscribe(listener),
  address: () => sessions.wallet.get()?.name,
  onEvent: tellNews,
});

/** Keeps the account's data current while the component is there. Any number may ask; it is followed once. */
export const useAccountFeed = (): void => useEffect(() => follower.hold(), []);

const SEPARATOR = " ";

/** The mark prices of several markets, by symbol; a new function only where one of them has changed. */
export function useMarks(symbols: readonly string[]): (symbol: string) => string | undefined {
  const names = symbols.toSorted().join(SEPARATOR);
  const subscribe = useCallback(
    (listener: () => void) => {
      const leaves = names === "" ? [] : names.split(SEPARATOR).map((symbol) => markOf(symbol).subscribe(listener));
      return () => {
        for (const leave of leaves) leave();
      };
    },
    [names],
  );
  const read = () =>
    names === ""
      ? ""
      : names
          .split(SEPARATOR)
          .map((symbol) => markOf(symbol).get()?.mark_price ?? "")
          .join(SEPARATOR);
  const prices = useSyncExternalStore(subscribe, read, read);
  return useMemo(() => {
    const texts = prices.split(SEPARATOR);
    const known = new Map(names.split(SEPARATOR).map((symbol, place) => [symbol, texts[place] || undefined]));
    return (symbol) => known.get(symbol);
  }, [names, prices]);
}

/** The account's sums at the marks of now. */
export function useLiveFigures(account: UnifiedAccount | undefined): LiveFigures | undefined {
  const { data: markets } = useMarkets();
  const markOfSymbol = useMarks(account?.positions.map(({ symbol }) => symbol) ?? []);
  return useMemo(() => account && liveFigures(account, markets ?? [], markOfSymbol), [account, markets, markOfSymbol]);
}
