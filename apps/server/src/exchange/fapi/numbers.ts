import { MAX_LOTS, MAX_TICKS, type Market, ticksOfPrice } from "@bourse/engine";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import { decimalsOf, parseMoney, parseSize, priceText, quantityText } from "../units.ts";

/*
 * Decimal texts that were found well-formed, as the engine's whole numbers. Quantities are floored to the lot (FUT-7);
 * prices are taken exactly or refused (WIRE-11).
 */

const isNegative = (text: string) => text.startsWith("-") && /[1-9]/.test(text);
const isZero = (text: string) => !/[1-9]/.test(text);

/** Decimals that mean something: trailing zeros do not. */
function decimalsIn(text: string): number {
  const point = text.indexOf(".");
  return point === -1 ? 0 : text.slice(point + 1).replace(/0+$/, "").length;
}

/**
 * Ticks of a price. One decimal more than the tick has can only be off the tick (-4014); what is finer still is over the
 * precision (-1111).
 */
export function ticksOf(market: Market, text: string, parameter = "price"): number {
  const decimals = decimalsIn(text);
  const most = decimalsOf(market.tickSize_e8) + 1;
  if (decimals > most) {
    throw fapiRefusal("PRECISION", { details: { rule: "precision", parameter, limit: most, actual: decimals } });
  }
  const tick = { rule: "tick_size", parameter, limit: priceText(market, 1), actual: text.slice(0, 40) };
  if (isNegative(text) || isZero(text)) throw fapiRefusal("TICK", { details: tick });
  const highest = priceText(market, MAX_TICKS);
  const tooHigh = () =>
    fapiRefusal("PRICE_TOO_HIGH", {
      msg: `Limit price can't be higher than ${highest}.`,
      details: { rule: "max_price", parameter, limit: highest, actual: text.slice(0, 40) },
    });
  const price = parseSize(text);
  if (price === undefined) throw tooHigh();
  const ticks = ticksOfPrice(market, price.value);
  if (ticks === 0) throw fapiRefusal("TICK", { details: tick });
  if (ticks > MAX_TICKS) throw tooHigh();
  return ticks;
}

const E8_DIGITS = 8;

/** How often a size goes into a quantity that is not negative, cut to whole lots; exact for any number of digits. */
function wholeLots(text: string, { lotSize_e8 }: Market): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, E8_DIGITS).padEnd(E8_DIGITS, "0")) / BigInt(lotSize_e8);
}

/** Whole lots of a quantity, at least one. */
export function lotsOf(market: Market, text: string, parameter = "quantity"): number {
  const actual = text.slice(0, 40);
  if (isNegative(text) || isZero(text)) {
    throw fapiRefusal("QUANTITY_NOT_POSITIVE", { details: { rule: "min_quantity", parameter, limit: "0", actual } });
  }
  const lots = wholeLots(text, market);
  if (lots > MAX_LOTS) {
    const limit = quantityText(market, MAX_LOTS);
    throw fapiRefusal("QUANTITY_TOO_LARGE", { details: { rule: "max_quantity", parameter, limit, actual } });
  }
  if (lots === 0n) {
    const limit = quantityText(market, 1);
    throw fapiRefusal("LOT_SIZE", { details: { rule: "lot_size", parameter, limit, actual } });
  }
  return Number(lots);
}

/** One billion USDT: no amount is larger. */
const MOST_micros = 1e15;

/** USDT, cut to micros. */
export function microsOf(text: string, parameter: string): number {
  const actual = text.slice(0, 40);
  const details = { rule: "amount", parameter, limit: "1000000000", actual };
  if (isNegative(text) || isZero(text)) {
    throw fapiRefusal("QUANTITY_NOT_POSITIVE", { details: { ...details, limit: "0" } });
  }
  const amount = parseMoney(text);
  if (amount === undefined || amount.value > MOST_micros) throw fapiRefusal("QUANTITY_TOO_LARGE", { details });
  if (amount.value === 0) throw fapiRefusal("LOT_SIZE", { details: { ...details, rule: "lot_size" } });
  return amount.value;
}

export { isZero as isZeroText };
