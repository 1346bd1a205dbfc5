import { useMemo } from "react";
import { Skeleton } from "../../../kit/states.tsx";
import { createKeptStore, useStore } from "../../../lib/store.ts";
import { useRead } from "../../../lib/use-read.ts";
import { api } from "../../../session/session.ts";
import { bookOf, useChannel } from "../channels.ts";
import type { Market } from "../market-data.ts";
import { buildLadder, deepen, groupSteps, type Ladder } from "./ladder.ts";
import { Levels } from "./levels.tsx";
import { BOOK_COLUMNS } from "./row.tsx";

/** How many levels of each side the stream has. */
const LIVE_LEVELS = 30;
const DEEP_LEVELS = 500;
const DEEP_REFRESH_MS = 5_000;

/** By symbol: the step that was chosen. */
const chosenSteps = createKeptStore("bourse.book.steps", (kept): Readonly<Record<string, string>> => {
  const entries = Object.entries(typeof kept === "object" && kept !== null ? kept : {});
  return Object.fromEntries(entries.filter(([, step]) => typeof step === "string" && /^\d+(\.\d+)?$/.test(step)));
});

function useGrouping(market: Market) {
  const { symbol, tick_size, mark_price } = market;
  const steps = useMemo(() => groupSteps(tick_size, mark_price), [tick_size, mark_price]);
  const wanted = useStore(chosenSteps)[symbol];
  const chosen = wanted !== undefined && steps.includes(wanted) ? wanted : (steps[0] ?? tick_size);
  const choose = (step: string) => chosenSteps.update((known) => ({ ...known, [symbol]: step }));
  return { steps, chosen, choose };
}

/** Undefined until the first book is here. Wide groups reach further than the stream does. */
function useLadder(market: Market, step: string): Ladder | undefined {
  const { symbol, tick_size } = market;
  const book = useChannel(bookOf(symbol));
  const { data: deep } = useRead(
    ["market", "depth", symbol],
    (call) => api.market.depth(symbol, { limit: DEEP_LEVELS }, call),
    { enabled: step !== tick_size, refetchInterval: DEEP_REFRESH_MS },
  );
  return useMemo(() => {
    if (book === undefined) return undefined;
    const levels = step === tick_size ? book : deepen(book, deep && pairsOf(deep), LIVE_LEVELS);
    return buildLadder(levels, step, LIVE_LEVELS, market);
  }, [book, deep, step, tick_size, market]);
}

type DeepBook = Awaited<ReturnType<typeof api.market.depth>>;
const pairsOf = ({ bids, asks }: DeepBook) => ({
  bids: bids.map(([price = "0", quantity = "0"]) => [price, quantity] as const),
  asks: asks.map(([price = "0", quantity = "0"]) => [price, quantity] as const),
});

export function OrderBook({ market }: { readonly market: Market }) {
  const { steps, chosen, choose } = useGrouping(market);
  const ladder = useLadder(market, chosen);
  return (
    <section aria-label="Order book" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className={`${BOOK_COLUMNS} h-7 shrink-0 items-center text-xs text-faint`}>
        <label className="flex min-w-0 items-center gap-1">
          <span className="sr-only">Group prices by</span>
          <select
            value={chosen}
            onChange={(event) => choose(event.target.value)}
            className="num h-6 min-w-0 rounded-sm bg-raised px-1 text-xs text-text"
          >
            {steps.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <span className="text-right">Size ({market.base_asset})</span>
        <span className="text-right">Total</span>
      </div>
      {ladder === undefined ? (
        <div className="px-3">
          <Skeleton rows={16} rowHeight={20} label="Loading the order book" />
        </div>
      ) : (
        <Levels key={`${market.symbol} ${chosen}`} ladder={ladder} market={market} groupStep={chosen} />
      )}
    </section>
  );
}
