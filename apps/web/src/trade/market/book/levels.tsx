import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { Percent } from "../../../kit/number.tsx";
import { EmptyState } from "../../../kit/states.tsx";
import { groupDigits } from "../../../lib/format.ts";
import { useChartLines } from "../../account/chart-lines.ts";
import { ticketIntent } from "../../intents.ts";
import type { Market } from "../market-data.ts";
import { type BookSide, type Chosen, groupedPrice, type Ladder, step } from "./ladder.ts";
import { BOOK_COLUMNS, BookRow, rowId } from "./row.tsx";

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

type Boxes = Readonly<Record<BookSide, RefObject<HTMLDivElement | null>>>;

/** The level that keys or the pointer have chosen, and the handlers that choose it. */
function useChoice(ladder: Ladder, boxes: Boxes) {
  const [active, setActive] = useState<Chosen>();
  const take = (price: string) => ticketIntent.set({ price });
  const move = (to: Chosen | undefined) => {
    if (to === undefined) return;
    setActive(to);
    boxes[to.side].current?.focus({ preventScroll: true });
    document.getElementById(rowId(to.side, to.price))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (side: BookSide, event: KeyboardEvent) => {
    const best = ladder[side][0];
    const from = active?.side === side ? active : best && { side, price: best.price };
    if (from === undefined) return;
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      move(active?.side === side ? step(ladder, from, event.key === "ArrowUp" ? "up" : "down") : from);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      take(from.price);
    }
  };
  const onClick = (side: BookSide, event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-price]") : null;
    const price = row?.dataset["price"];
    if (price === undefined) return;
    setActive({ side, price });
    take(price);
  };
  const leave = (side: BookSide) => setActive((now) => (now?.side === side ? undefined : now));
  return { active, onKeyDown, onClick, leave };
}

interface LevelsProps {
  readonly ladder: Ladder;
  readonly market: Market;
  readonly groupStep: string;
}

/** Asks above bids, the best of both next to the middle. */
export function Levels({ ladder, market, groupStep }: LevelsProps) {
  const boxes = { asks: useRef<HTMLDivElement>(null), bids: useRef<HTMLDivElement>(null) };
  const { active, onKeyDown, onClick, leave } = useChoice(ladder, boxes);
  const own = useOwnGroups(market, groupStep);
  const isDrawn = useRef(false);
  useEffect(() => {
    isDrawn.current = true;
  }, []);

  const emptySide = (words: string) => (
    <div className="flex min-h-0 flex-1">
      <EmptyState title={words} className="m-auto py-2" />
    </div>
  );
  const sideOf = (side: BookSide, label: string, className: string) => (
    <div
      ref={boxes[side]}
      role="listbox"
      aria-label={label}
      aria-activedescendant={active?.side === side ? rowId(side, active.price) : undefined}
      tabIndex={0}
      onClick={(event) => onClick(side, event)}
      onKeyDown={(event) => onKeyDown(side, event)}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && leave(side)}
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
    </div>
  );

  return (
    <>
      {ladder.asks.length === 0 ? emptySide("No asks") : sideOf("asks", "Asks", "flex-col-reverse")}
      <Middle ladder={ladder} />
      {ladder.bids.length === 0 ? emptySide("No bids") : sideOf("bids", "Bids", "flex-col")}
    </>
  );
}

function Middle({ ladder: { mid, spread, spreadFraction } }: { readonly ladder: Ladder }) {
  return (
    <div className={`${BOOK_COLUMNS} h-8 shrink-0 items-center text-sm`}>
      <span className="num font-semibold" title="Mid price">
        {mid === undefined ? "–" : groupDigits(mid)}
      </span>
      <span className="col-span-2 truncate text-right text-xs text-muted">
        Spread <span className="num text-text">{spread === undefined ? "–" : groupDigits(spread)}</span>
        {spreadFraction !== undefined && (
          <>
            {" · "}
            <Percent fraction={spreadFraction} decimals={3} />
          </>
        )}
      </span>
    </div>
  );
}
