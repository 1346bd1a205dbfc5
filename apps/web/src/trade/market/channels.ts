import type { MarkPriceData, OrderbookData, PublicChannel, StreamTrade, TickerData } from "@bourse/api/client";
import { useSyncExternalStore } from "react";
import { createFrameStore, type FrameStore } from "../../streams/frame-store.ts";
import { publicFeed } from "../../streams/page-stream.ts";
import type { PublicPush } from "../../streams/public-feed.ts";
import { mergeTrades } from "./trades/trade-list.ts";

/** A channel of one market as a store: followed while it has readers, dropped a while after. */
interface ChannelStore<T> {
  readonly get: () => T | undefined;
  readonly subscribe: (listener: () => void) => () => void;
}

type Followable = Exclude<PublicChannel, "kline">;

/** How long the data of a hidden market is kept: enough to switch there and back. */
const FORGOTTEN_AFTER_MS = 30_000;

function createChannelStore<T>(
  address: { readonly channel: Followable; readonly symbol: string },
  apply: (known: T | undefined, push: PublicPush) => T | undefined,
): ChannelStore<T> {
  const store: FrameStore<T | undefined> = createFrameStore<T | undefined>(undefined);
  let readers = 0;
  let leave: (() => void) | undefined;
  let forgetting: ReturnType<typeof setTimeout> | undefined;
  return {
    get: store.get,
    subscribe: (listener) => {
      readers += 1;
      clearTimeout(forgetting);
      leave ??= publicFeed.follow(address, (push) => store.update((known) => apply(known, push)));
      const stop = store.subscribe(listener);
      return () => {
        stop();
        readers -= 1;
        if (readers > 0) return;
        leave?.();
        leave = undefined;
        forgetting = setTimeout(() => store.set(undefined), FORGOTTEN_AFTER_MS);
      };
    },
  };
}

/** One store per symbol, made when it is asked for first. There are as many as there are markets. */
function bySymbol<T>(channel: Followable, apply: (known: T | undefined, push: PublicPush) => T | undefined) {
  const stores = new Map<string, ChannelStore<T>>();
  return (symbol: string): ChannelStore<T> => {
    const known = stores.get(symbol);
    if (known !== undefined) return known;
    const made = createChannelStore({ channel, symbol }, apply);
    stores.set(symbol, made);
    return made;
  };
}

export const bookOf = bySymbol<OrderbookData>("orderbook", (known, push) =>
  push.channel === "orderbook" ? push.data : known,
);
export const tickerOf = bySymbol<TickerData>("ticker", (known, push) =>
  push.channel === "ticker" ? (push.data ?? undefined) : known,
);
export const markOf = bySymbol<MarkPriceData>("markprice", (known, push) =>
  push.channel === "markprice" ? (push.data ?? undefined) : known,
);
export const tradesOf = bySymbol<readonly StreamTrade[]>("trades", (known, push) =>
  push.channel === "trades" ? mergeTrades(push.type === "snapshot" ? [] : (known ?? []), push.data) : known,
);

export const useChannel = <T>(store: ChannelStore<T>): T | undefined =>
  useSyncExternalStore(store.subscribe, store.get, store.get);

/** A part of what a channel has, as text: re-renders only where the text has changed. */
export function useChannelText<T>(store: ChannelStore<T>, textOf: (data: T) => string | undefined): string | undefined {
  const read = () => {
    const data = store.get();
    return data === undefined ? undefined : textOf(data);
  };
  return useSyncExternalStore(store.subscribe, read, read);
}
