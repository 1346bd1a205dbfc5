import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { type Draft, isConditional, KINDS } from "./draft.ts";
import type { MarketRules, Prices } from "./market-rules.ts";
import { largestNotional, quantityOfPercent, quantityOfQuote, type Room } from "./sizing.ts";
import { floorToLot } from "./steps.ts";

/** Prices move while the button is pressed: an order of all available margin at the best price would be refused. */
const MARKET_CUSHION = Decimal.parse("0.998");

/** What a draft comes to with the market as it is. */
export interface Resolved {
  /** The price by which sizes are converted; undefined before there is one. */
  readonly reference: Decimal | undefined;
  /** The largest possible quantity; undefined where it is not known. */
  readonly most: Decimal | undefined;
  /** Floored to the lot; zero where nothing sensible was typed. */
  readonly quantity: Decimal;
  /** At the reference. */
  readonly notional: Decimal;
}

interface Ground {
  readonly market: MarketRules;
  readonly prices: Prices;
  readonly room: Room | undefined;
  /** What a reduce-only order of this side could close. */
  readonly closable: Decimal;
}

const parsed = (text: string | undefined) => (text === undefined ? undefined : Decimal.parse(text));

/** The limit price; of a market order the best opposite price, else the mark; of a trigger the price it fires at. */
export function referencePrice(draft: Draft, prices: Prices): Decimal | undefined {
  if (KINDS[draft.kind].isPriced) return parseTyped(draft.price);
  const best = parsed(draft.side === "BUY" ? prices.ask : prices.bid) ?? parsed(prices.mark);
  if (!isConditional(draft.kind)) return best;
  const trigger = draft.kind === "TRAILING_STOP_MARKET" ? draft.activatePrice : draft.stopPrice;
  return parseTyped(trigger) ?? best;
}

function largestQuantity(draft: Draft, reference: Decimal, { market, room, closable }: Ground): Decimal | undefined {
  if (draft.isReduceOnly) return closable;
  if (room === undefined) return undefined;
  const notional = largestNotional(room, draft.side, reference);
  const kept = draft.kind === "MARKET" ? notional.mul(MARKET_CUSHION) : notional;
  const most = quantityOfQuote(kept, reference, market.lot_size);
  // A position can always be closed, with any margin.
  return Decimal.max(most, closable);
}

function quantityOf(draft: Draft, reference: Decimal, most: Decimal | undefined, lot: string): Decimal {
  if (draft.size.by === "percent") return quantityOfPercent(draft.size.percent, most ?? Decimal.ZERO, lot);
  const typed = parseTyped(draft.size.text) ?? Decimal.ZERO;
  return draft.size.by === "base" ? floorToLot(typed, lot) : quantityOfQuote(typed, reference, lot);
}

export function resolve(draft: Draft, ground: Ground): Resolved {
  const reference = referencePrice(draft, ground.prices);
  if (reference === undefined || reference.isZero()) {
    const typed = draft.size.by === "base" ? parseTyped(draft.size.text) : undefined;
    const quantity = floorToLot(typed ?? Decimal.ZERO, ground.market.lot_size);
    return { reference: undefined, most: undefined, quantity, notional: Decimal.ZERO };
  }
  const most = largestQuantity(draft, reference, ground);
  const quantity = quantityOf(draft, reference, most, ground.market.lot_size);
  return { reference, most, quantity, notional: quantity.mul(reference) };
}
