import { MAX_LOTS, MAX_TICKS } from "../book/limits.ts";
import { PRICE_MATCHES } from "./codes.ts";
import type { AttachedTrigger, OutsideStamp } from "./commands.ts";

/** One billion USDT: the largest amount of a command and the largest balance. */
export const MAX_AMOUNT_micros = 1e15;
/** Four billion USDT: the largest amount inside the exchange, which keeps every sum of balances a safe integer. */
export const MAX_TOTAL_micros = 4e15;
export const MAX_ACCOUNTS = 2 ** 24;
export const MAX_MARKETS = 4_096;
export const MAX_TIME_ms = 8.64e15;
export const MAX_CLIENT_ID_length = 36;

/*
 * Checks of the values of fields. The types state them already, but a log may hold anything: each function accepts any
 * value and returns whether it is valid.
 */

/** −0 is not valid: it differs from 0 where bits are compared. */
export function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max && !Object.is(value, -0);
}

export function isNone(value: number): boolean {
  return Object.is(value, 0);
}

/** Whether a number is in the range of account numbers; the account may not exist. */
export function isAccountNumber(value: number): boolean {
  return isWhole(value, 1, MAX_ACCOUNTS);
}

export function isMarketNumber(value: number): boolean {
  return isWhole(value, 0, MAX_MARKETS - 1);
}

export function isTicks(value: number): boolean {
  return isWhole(value, 1, MAX_TICKS);
}

export function isTicksOrNone(value: number): boolean {
  return isWhole(value, 0, MAX_TICKS);
}

export function isLotsOrNone(value: number): boolean {
  return isWhole(value, 0, MAX_LOTS);
}

export function isAmount(value: number): boolean {
  return isWhole(value, 1, MAX_AMOUNT_micros);
}

export function isCode(value: number, highest: number): boolean {
  return isWhole(value, 0, highest);
}

export function isBoolean(value: boolean): boolean {
  return value === true || value === false;
}

export function isClientId(value: string): boolean {
  return typeof value === "string" && value.length <= MAX_CLIENT_ID_length;
}

export function isAttachedOrNone(value: AttachedTrigger | null): boolean {
  if (value === null) return true;
  if (typeof value !== "object") return false;
  return isTicks(value.triggerTicks) && isTicksOrNone(value.ticks) && isCode(value.workingType, 1);
}

/** A number that may be absent, which is 0. */
export function orNone<Value extends number>(value: Value | undefined): Value | 0 {
  return value === undefined ? 0 : value;
}

/** FUT-26: whether a price is given in exactly one of two ways. */
export function isPriceOrMatch(ticks: number, priceMatch: number): boolean {
  if (!isCode(priceMatch, PRICE_MATCHES.length - 1)) return false;
  return priceMatch === 0 ? isTicks(ticks) : isNone(ticks);
}

const MAX_REFERENCE_length = 200;
const COMMITMENT = /^([0-9a-f]{64})?$/;

/** LOG-1: reference and commitment of a command, where it has them. */
export function isStamp({ reference = "", commitment = "", details = "" }: OutsideStamp): boolean {
  const areTexts = typeof reference === "string" && typeof commitment === "string" && typeof details === "string";
  return areTexts && reference.length <= MAX_REFERENCE_length && COMMITMENT.test(commitment);
}
