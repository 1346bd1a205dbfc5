import { DAY_ms, dayOf, dayStart_ms } from "../kernel/dates.ts";
import { refusals } from "./refusals.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The database has no year 0. */
const FIRST_DAY = "0001-01-01";
const MAX_DAYS = 366;
const USUAL_DAYS = 30;

/** Both days are inclusive. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The day `days` later, or earlier if negative. */
export const dayAfter = (day: string, days: number): string => dayOf(dayStart_ms(day) + days * DAY_ms);

/** Parses a calendar day, YYYY-MM-DD. */
export function readDay(name: string, text: string): string {
  const start_ms = DAY.test(text) && text >= FIRST_DAY ? dayStart_ms(text) : Number.NaN;
  // JavaScript parses 30 February as a day in March.
  if (Number.isNaN(start_ms) || dayOf(start_ms) !== text) {
    throw refusals.invalidPeriod(`${name} must be a date as YYYY-MM-DD`);
  }
  return text;
}

/** Parses a range of days; it ends today by default and begins 30 days before its end by default. */
export function readRange(
  { from: fromText, to: toText }: { readonly from?: string; readonly to?: string },
  today: string,
): DayRange {
  const from = fromText === undefined ? undefined : readDay("from", fromText);
  const to = toText === undefined ? today : readDay("to", toText);
  if (from === undefined)
    return { from: to < dayAfter(FIRST_DAY, USUAL_DAYS) ? FIRST_DAY : lastDays(to, USUAL_DAYS), to };
  if (from > to) throw refusals.invalidPeriod("from must not be after to");
  if (dayStart_ms(to) - dayStart_ms(from) >= MAX_DAYS * DAY_ms) {
    throw refusals.invalidPeriod(`from and to must be at most ${MAX_DAYS} days apart, both included`);
  }
  return { from, to };
}

const lastDays = (to: string, days: number): string => dayAfter(to, 1 - days);

/** The range of `days` days that ends with `to`, inclusive. */
export const rangeUpTo = (to: string, days: number): DayRange => ({ from: lastDays(to, days), to });

/** Every day of the range, oldest first. */
export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let at_ms = dayStart_ms(from); at_ms <= dayStart_ms(to); at_ms += DAY_ms) days.push(dayOf(at_ms));
  return days;
}
