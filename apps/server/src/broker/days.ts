import { refusals } from "./refusals.ts";

const MS_PER_DAY = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** The database knows no year 0. */
const FIRST_DAY = "0001-01-01";
const MOST_DAYS = 366;
const USUAL_DAYS = 30;

/** Both days belong to it. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The UTC day of a moment. */
export const dayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10);

const startOf_ms = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The day so many days later, or earlier. */
export const dayAfter = (day: string, days: number): string => dayOf(startOf_ms(day) + days * MS_PER_DAY);

/** A day of the calendar as YYYY-MM-DD. */
export function readDay(name: string, text: string): string {
  const start_ms = DAY.test(text) && text >= FIRST_DAY ? startOf_ms(text) : Number.NaN;
  // 30 February is read as a day in March.
  if (Number.isNaN(start_ms) || dayOf(start_ms) !== text) {
    throw refusals.invalidPeriod(`${name} must be a date as YYYY-MM-DD`);
  }
  return text;
}

/** The days asked for; without an end up to today, without a beginning 30 of them. */
export function readRange(
  { from: fromText, to: toText }: { readonly from?: string; readonly to?: string },
  today: string,
): DayRange {
  const from = fromText === undefined ? undefined : readDay("from", fromText);
  const to = toText === undefined ? today : readDay("to", toText);
  if (from === undefined)
    return { from: to < dayAfter(FIRST_DAY, USUAL_DAYS) ? FIRST_DAY : lastDays(to, USUAL_DAYS), to };
  if (from > to) throw refusals.invalidPeriod("from must not be after to");
  if (startOf_ms(to) - startOf_ms(from) >= MOST_DAYS * MS_PER_DAY) {
    throw refusals.invalidPeriod(`from and to must be at most ${MOST_DAYS} days apart, both included`);
  }
  return { from, to };
}

const lastDays = (to: string, days: number): string => dayAfter(to, 1 - days);

/** So many days up to and including the last one. */
export const rangeUpTo = (to: string, days: number): DayRange => ({ from: lastDays(to, days), to });

/** Every day of the range, the oldest first. */
export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let at_ms = startOf_ms(from); at_ms <= startOf_ms(to); at_ms += MS_PER_DAY) days.push(dayOf(at_ms));
  return days;
}
