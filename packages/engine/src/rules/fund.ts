import { CEIL, FLOOR, mulDiv } from "../integers.ts";
import { ONE_e8, USDT_micros } from "./units.ts";

/**
 * FUT-22: the losses of a smaller fund are judged as if it held this much. Parts of nearly nothing are nearly nothing: an
 * exchange that was not seeded yet would stop with the first unit that its fund loses.
 */
export const FUND_FLOOR_micros = 1_000 * USDT_micros;

/** FUT-22: what the fund may lose in a market in an hour that began with this equity. */
export function outflowCap(start_micros: number, fundOutflow_e8: number): number {
  return mulDiv(judgedEquity(start_micros), fundOutflow_e8, ONE_e8, FLOOR);
}

/** FUT-22: the loss of an hour, over all markets, that stops them: a fifth. */
export function hourlyBrake(start_micros: number): number {
  return mulDiv(judgedEquity(start_micros), 1, 5, CEIL);
}

/** FUT-22: the loss against the highest equity of 24 hours that stops all markets: three tenths. */
export function dailyBrake(highest_micros: number): number {
  return mulDiv(judgedEquity(highest_micros), 3, 10, CEIL);
}

function judgedEquity(equity_micros: number): number {
  return Math.max(equity_micros, FUND_FLOOR_micros);
}
