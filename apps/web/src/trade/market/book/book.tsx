import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { Percent } from "../../../kit/number.tsx";
import { EmptyState, Skeleton } from "../../../kit/states.tsx";
import { groupDigits } from "../../../lib/format.ts";
import { createKeptStore, useStore } from "../../../lib/store.ts";
import { api } from "../../../session/session.ts";
import { useChartLines } from "../../account/chart-lines.ts";
import { ticketIntent } from "../../intents.ts";
import { bookOf, useChannel } from "../channels.ts";
import type { Market } from "../market-data.ts";
import {
  type BookSide,
  buildLadder,
  type Chosen,
  deepen,
  groupedPrice,
  groupSteps,
  type Ladder,
  step as stepFrom,
} from "./ladder.ts";
import { BOOK_COLUMNS, BookRow, rowId } from "./row.tsx";

/** The stream has so many levels of each side. */
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
  const { data: deep } = useQuery({
    queryKey: ["market", "depth", symbol],
    queryFn: ({ signal }) => api.market.depth(symbol, { limit: DEEP_LEVELS }, { signal }),
    enabled: step !== tick_size,
    refetchInterval: DEEP_REFRESH_MS,
  });
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

/** By side: the groups in which the trader has orders. */
function useOwnGroups(market: Market, step: string): Readonly<Record<BookSide, ReadonlySet<string>>> {
  const lines = useChartLines(market.symbol);
  return useMemo(() => {
    const orders = lines.filter(({ kind }) => kind === "order");
    const groupsOf = (side: BookSide, tone: "up" | "down") =>
      new Set(orders.filter((line) => line.tone === tone).map(({ price }) => groupedPrice(price, step, side, market)));
    return { bids: groupsOf("bids", "up"), asks: groupsOf("asks", "down") };
  }, [lines, step, market]);
}

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

interface LevelsProps {
  readonly ladder: Ladder;
  readonly market: Market;
  readonly groupStep: string;
}

function Levels({ ladder, market, groupStep }: LevelsProps) {
  const [active, setActive] = useState<Chosen>();
  const boxes = { asks: useRef<HTMLDivElement>(null), bids: useRef<HTMLDivElement>(null) };
  const own = useOwnGroups(market, groupStep);
  const isDrawn = useRef(false);
  useEffect(() => {
    isDrawn.current = true;
  }, []);

  const take = (price: string) => ticketIntent.set({ price });
  const move = (to: Chosen | undefined) => {
    if (to === undefined) return;
    setActive(to);
    boxes[to.side].current?.focus({ preventScroll: true });
    document.getElementById(rowId(to.side, to.price))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (side: BookSide) => (event: KeyboardEvent) => {
    const best = ladder[side][0];
    const from = active?.side === side ? active : best && { side, price: best.price };
    if (from === undefined) return;
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      move(active?.side === side ? stepFrom(ladder, from, event.key === "ArrowUp" ? "up" : "down") : from);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      take(from.price);
    }
  };
  const onClick = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-price]") : null;
    const { price, side } = row?.dataset ?? {};
    if (price === undefined) return;
    setActive({ side: side as BookSide, price });
    take(price);
  };

  const sideOf = (side: BookSide, label: string, className: string) => (
    <div
      ref={boxes[side]}
      role="listbox"
      aria-label={label}
      aria-activedescendant={active?.side === side ? rowId(side, active.price) : undefined}
      tabIndex={0}
      onClick={onClick}
      onKeyDown={onKeyDown(side)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setActive((now) => (now?.side === side ? undefined : now));
      }}
      className={`flex min-h-0 flex-1 overflow-x-hidden overflow-y-auto [scrollbar-width:none] ${className}`}
    >
      {ladder[side].map((level) => (
        <BookRow
          key={level.price}
          side={side}
          {...level}
          isActive={active?.side === side && active.price === level.price}
          isOwn={own[side].has(level.price)}
          doesFlash={isDrawn.current}
        />
      ))}
      {ladder[side].length === 0 && (
        <EmptyState title={side === "asks" ? "Nobody offers" : "Nobody bids"} className="m-auto py-2" />
      )}
    </div>
  );

  return (
    <>
      {sideOf("asks", "Asks", "flex-col-reverse")}
      <div className={`${BOOK_COLUMNS} h-8 shrink-0 items-center text-sm`}>
        <span className="num font-semibold" title="Mid price">
          {ladder.mid === undefined ? "–" : groupDigits(ladder.mid)}
        </span>
        <span className="col-span-2 truncate text-right text-xs text-muted">
          Spread <span className="num text-text">{ladder.spread === undefined ? "–" : groupDigits(ladder.spread)}</span>
          {ladder.spreadFraction !== undefined && (
            <>
              {" · "}
              <Percent fraction={ladder.spreadFraction} decimals={3} />
            </>
          )}
        </span>
      </div>
      {sideOf("bids", "Bids", "flex-col")}
    </>
  );
}
