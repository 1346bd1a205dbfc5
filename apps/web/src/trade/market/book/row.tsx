import { memo } from "react";
import { cx } from "../../../lib/cx.ts";
import { groupDigits } from "../../../lib/format.ts";
import type { BookSide } from "./ladder.ts";

export const BOOK_COLUMNS = "grid grid-cols-[1fr_1fr_1fr] gap-2 px-3";

interface RowProps {
  readonly side: BookSide;
  readonly price: string;
  readonly quantity: string;
  readonly total: string;
  readonly depth: number;
  readonly isActive: boolean;
  /** The trader has an order in it. */
  readonly isOwn: boolean;
  /** Not while the book is drawn for the first time: then nothing has changed. */
  readonly doesFlash: boolean;
}

export const rowId = (side: BookSide, price: string): string => `book-${side}-${price}`;

/** One level: its bar shows how much there is up to here. */
export const BookRow = memo(function BookRow(props: RowProps) {
  const { side, price, quantity, total, depth, isActive, isOwn, doesFlash } = props;
  const isBid = side === "bids";
  return (
    <div
      id={rowId(side, price)}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      data-price={price}
      className={cx(
        BOOK_COLUMNS,
        "relative h-5 shrink-0 pointer-coarse:h-7 cursor-pointer items-center text-xs hover:bg-hover",
        isActive && "outline-1 -outline-offset-1 outline-accent",
      )}
    >
      <span
        className={cx("absolute inset-y-px right-0 left-0 origin-right", isBid ? "bg-up-soft" : "bg-down-soft")}
        style={{ transform: `scaleX(${depth})` }}
      />
      {doesFlash && <span key={quantity} className="flash absolute inset-0" />}
      <span className={cx("num relative", isBid ? "text-up" : "text-down")}>
        {isOwn && <span className="absolute top-1/2 -left-2 size-1 -translate-y-1/2 rounded-full bg-accent" />}
        <span className="sr-only">
          {isOwn ? "Your order, " : ""}
          {isBid ? "bid" : "ask"}{" "}
        </span>
        {groupDigits(price)}
      </span>
      <span className="num relative text-right">
        <span className="sr-only">, size </span>
        {groupDigits(quantity)}
      </span>
      <span className="num relative text-right text-muted">
        <span className="sr-only"> in total </span>
        {groupDigits(total)}
      </span>
    </div>
  );
});
