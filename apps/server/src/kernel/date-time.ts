import { MINUTE_ms } from "./dates.ts";

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const FIRST_MS = Date.parse("0000-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Milliseconds since the Unix epoch of an RFC 3339 date-time, or undefined if the text is not one. Digits beyond the millisecond
 * are dropped. Days and hours that do not exist are refused, and so are leap seconds: Unix time has none.
 */
export function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, date, time, fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] = match;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const wholeSecond = `${date}T${time}`;
  const local_ms = Date.parse(`${wholeSecond}Z`);
  // The runtime's parser turns 31 February into 3 March and 24:00 into the next day.
  if (Number.isNaN(local_ms) || new Date(local_ms).toISOString().slice(0, 19) !== wholeSecond) return undefined;
  const offset_ms = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_ms;
  const time_ms = local_ms + Number(fraction.slice(0, 3).padEnd(3, "0")) - (sign === "-" ? -offset_ms : offset_ms);
  // An offset can lead to a year that four digits cannot write.
  return time_ms >= FIRST_MS && time_ms <= LAST_MS ? time_ms : undefined;
}
