import { createStore, useStore } from "../../lib/store.ts";
import type { TicketIntent } from "../intents.ts";
import { type Draft, EMPTY_DRAFT, KINDS } from "./draft.ts";

interface Kept {
  readonly symbol: string;
  readonly draft: Draft;
}

/** What was typed outlives the panel, which a phone takes away when it shows another one. */
const kept = createStore<Kept>({ symbol: "", draft: EMPTY_DRAFT });

/** Another market: how one trades stays, prices and sizes do not. */
export function forMarket({ symbol, draft }: Kept, next: string): Kept {
  if (symbol === next) return { symbol, draft };
  const { side, kind, sizeUnit, timeInForce, workingType, callbackRate, maxSlippage } = draft;
  const habits = { side, kind, sizeUnit, timeInForce, workingType, callbackRate, maxSlippage };
  return { symbol: next, draft: { ...EMPTY_DRAFT, ...habits, size: { by: sizeUnit, text: "" } } };
}

/** Where a price from the book or the chart goes: to the price that the type has. */
function withPrice(draft: Draft, price: string): Draft {
  if (KINDS[draft.kind].isPriced) return { ...draft, price };
  if (draft.kind === "MARKET") return { ...draft, kind: "LIMIT", price };
  return draft.kind === "TRAILING_STOP_MARKET" ? { ...draft, activatePrice: price } : { ...draft, stopPrice: price };
}

/** Applies an intent of the book, the keys or a position. */
export function withIntent(draft: Draft, { side, price, quantity, isReduceOnly }: TicketIntent): Draft {
  let next = side === undefined ? draft : { ...draft, side };
  if (price !== undefined) next = withPrice(next, price);
  if (quantity !== undefined) next = { ...next, sizeUnit: "base", size: { by: "base", text: quantity } };
  return isReduceOnly === undefined ? next : { ...next, isReduceOnly };
}

export type ChangeDraft = (change: Partial<Draft> | ((draft: Draft) => Draft)) => void;

export function useDraft(symbol: string): readonly [Draft, ChangeDraft] {
  const { draft } = forMarket(useStore(kept), symbol);
  const change: ChangeDraft = (next) =>
    kept.update((now) => {
      const { draft: before } = forMarket(now, symbol);
      return { symbol, draft: typeof next === "function" ? next(before) : { ...before, ...next } };
    });
  return [draft, change];
}
