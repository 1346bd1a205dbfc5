import { MAX_LOTS, MAX_TICKS, type Market, ONE_e8, ticksOfPrice } from "@bourse/engine";
import { decimalsOf, parseMoney, parseSize, priceText, quantityText } from "../../kernel/units.ts";
import type { Refuse } from "./request-refusals.ts";

/*
 * Decimal texts that were found well-formed, as the engine's whole numbers. Quantities are floored to the lot (FUT-7);
 * prices are taken exactly or refused (WIRE-11).
 */

const isNegative = (text: string) => text.startsWith("-") && /[1-9]/.test(text);
export const isZeroText = (text: string) => !/[1-9]/.test(text);

/** Decimals that mean something: trailing zeros do not. */
function decimalsIn(text: string): number {
  const point = text.indexOf(".");
  return point === -1 ? 0 : text.slice(point + 1).replace(/0+$/, "").length;
}

/** A text that was sent, with the name it was sent under. */
export interface Sent {
  readonly text: string;
  readonly parameter: string;
}

const shown = ({ text, parameter }: Sent) => ({ parameter, actual: text.slice(0, 40) });

/**
 * Ticks of a price. One decimal more than the tick has can only be off the tick (-4014); what is finer still is over the
 * precision (-1111).
 */
export function ticksOf(market: Market, sent: Sent, refuse: Refuse): number {
  const { text, parameter } = sent;
  const decimals = decimalsIn(text);
  const most = decimalsOf(market.tickSize_e8) + 1;
  if (decimals > most) throw refuse("precision", { rule: "precision", parameter, limit: most, actual: decimals });
  const offTick = () => refuse("tick_size", { rule: "tick_size", ...shown(sent), limit: priceText(market, 1) });
  if (isNegative(text) || isZeroText(text)) throw offTick();
  const price = parseSize(text);
  const ticks = price === undefined ? Number.POSITIVE_INFINITY : ticksOfPrice(market, price.value);
  if (ticks === 0) throw offTick();
  if (ticks > MAX_TICKS) {
    throw refuse("max_price", { rule: "max_price", ...shown(sent), limit: priceText(market, MAX_TICKS) });
  }
  return ticks;
}

const E8_DIGITS = 8;

/** How often a size goes into a quantity that is not negative, cut to whole lots; exact for any number of digits. */
function wholeLots(text: string, { lotSize_e8 }: Market): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, E8_DIGITS).padEnd(E8_DIGITS, "0")) / BigInt(lotSize_e8);
}

function assertPositive(sent: Sent, rule: string, refuse: Refuse): void {
  if (!isNegative(sent.text) && !isZeroText(sent.text)) return;
  throw refuse("min_quantity", { rule, ...shown(sent), limit: "0" });
}

/** Whole lots of a quantity, at least one. */
export function lotsOf(market: Market, sent: Sent, refuse: Refuse): number {
  assertPositive(sent, "min_quantity", refuse);
  const lots = wholeLots(sent.text, market);
  if (lots > MAX_LOTS) {
    throw refuse("max_quantity", { rule: "max_quantity", ...shown(sent), limit: quantityText(market, MAX_LOTS) });
  }
  if (lots === 0n) throw refuse("lot_size", { rule: "lot_size", ...shown(sent), limit: quantityText(market, 1) });
  return Number(lots);
}

/** One billion USDT: no amount is larger. */
const MAX_micros = 1e15;

/** USDT, cut to micros. */
export function microsOf(sent: Sent, refuse: Refuse): number {
  assertPositive(sent, "amount", refuse);
  const details = { rule: "amount", ...shown(sent), limit: "1000000000" };
  const amount = parseMoney(sent.text);
  if (amount === undefined || amount.value > MAX_micros) throw refuse("max_quantity", details);
  if (amount.value === 0) throw refuse("lot_size", { ...details, rule: "lot_size" });
  return amount.value;
}

/** A fraction from 0 to 1 in units of 1e-8, what is finer cut off. */
export function fractionOf(sent: Sent, refuse: Refuse): number {
  const fraction = parseSize(sent.text);
  const isAbove = fraction === undefined || fraction.value + Number(fraction.isInexact) > ONE_e8;
  if (isAbove || isNegative(sent.text)) throw refuse("malformed", { rule: "range", ...shown(sent), limit: "0 to 1" });
  return fraction.value;
}
