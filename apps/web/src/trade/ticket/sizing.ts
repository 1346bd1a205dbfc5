import { Decimal } from "../../lib/decimal.ts";
import { floorToLot } from "./steps.ts";

const HUNDRED = Decimal.parse("100");
const MICRO_DIGITS = 6;
const RATE_DIGITS = 12;

/** What one can ask of a size: an amount of the base asset, of USDT, or a part of what is possible. */
export type Size =
  | { readonly by: "base"; readonly text: string }
  | { readonly by: "quote"; readonly text: string }
  | { readonly by: "percent"; readonly percent: number };

/** FUT-5: floored, so that an order never costs more than was asked for. */
export function quantityOfQuote(quote: Decimal, price: Decimal, lot: string): Decimal {
  if (price.isZero()) return Decimal.ZERO;
  return quote.div(price.mul(Decimal.parse(lot)), 0, "floor").mul(Decimal.parse(lot));
}

export const quoteOfQuantity = (quantity: Decimal, price: Decimal): Decimal => quantity.mul(price);

export const quantityOfPercent = (percent: number, most: Decimal, lot: string): Decimal =>
  floorToLot(most.mul(Decimal.parse(String(percent))).div(HUNDRED, 18, "floor"), lot);

/** A typed quantity as a percentage of the largest possible one, for the slider. */
export function percentOfQuantity(quantity: Decimal, most: Decimal): number {
  if (most.isZero() || most.isNegative()) return 0;
  const percent = Number(quantity.mul(HUNDRED).div(most, 2, "floor").toString());
  return Math.min(100, Math.max(0, percent));
}

/** What limits the size of an order in a market. Values at the mark, in USDT. */
export interface Room {
  readonly available: Decimal;
  /** Signed: below zero for a short. */
  readonly positionValue: Decimal;
  /** Of resting orders that are not reduce-only. */
  readonly openBuys: Decimal;
  readonly openSells: Decimal;
  readonly leverage: number;
  /** The largest notional that the leverage allows. */
  readonly notionalCap: Decimal;
  /** The market's largest order. */
  readonly orderCap: Decimal;
  readonly feeRate: Decimal;
  readonly mark: Decimal;
}

/**
 * The largest order of a side that margin, leverage and market allow, in USDT at `price`: section 4 of docs/rules/engine.md,
 * steps 3, 6 and 7, with the fee on top. The exchange decides; this is where the slider ends.
 */
export function largestNotional(room: Room, side: "BUY" | "SELL", price: Decimal): Decimal {
  if (price.isZero() || room.mark.isZero()) return Decimal.ZERO;
  const long = room.positionValue.add(room.openBuys);
  const short = room.openSells.sub(room.positionValue);
  const [own, other] = side === "BUY" ? [long, short] : [short, long];
  // What closes or offsets the other side needs no additional margin.
  const free = Decimal.max(other.sub(own), Decimal.ZERO);
  const leverage = Decimal.parse(String(room.leverage));
  const distance = side === "BUY" ? price.sub(room.mark) : room.mark.sub(price);
  const openLoss = Decimal.max(distance, Decimal.ZERO).div(price, RATE_DIGITS, "ceil");
  const perUnit = Decimal.ONE.div(leverage, RATE_DIGITS, "ceil").add(openLoss).add(room.feeRate);
  const funds = Decimal.max(room.available, Decimal.ZERO).add(free.div(leverage, MICRO_DIGITS, "floor"));
  const byMargin = funds.div(perUnit, MICRO_DIGITS, "floor");
  const byLeverage = room.notionalCap.sub(own);
  const most = Decimal.min(Decimal.min(byMargin, byLeverage), room.orderCap);
  return Decimal.max(most, Decimal.ZERO);
}

interface Bracket {
  readonly notional_cap: string;
  readonly max_leverage: number;
}

/** FUT-10: the cap of the last bracket that allows the leverage, nothing where none does. */
export function notionalCapAt(brackets: readonly Bracket[], leverage: number): Decimal {
  const allowing = brackets.filter(({ max_leverage }) => max_leverage >= leverage).at(-1);
  return allowing === undefined ? Decimal.ZERO : Decimal.parse(allowing.notional_cap);
}
