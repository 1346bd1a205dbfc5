export const MINUTE_ms = 60_000;
export const HOUR_ms = 60 * MINUTE_ms;
export const DAY_ms = 24 * HOUR_ms;
export const WEEK_ms = 7 * DAY_ms;
export const DAY_s = DAY_ms / 1_000;

/** The UTC day of a moment, as YYYY-MM-DD. */
export const dayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10);

/** The first moment of a UTC day, given as YYYY-MM-DD; NaN if the text is not a day. */
export const dayStart_ms = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The number of UTC days between 1970-01-01 and the day of a moment. */
export const dayNumberOf = (time_ms: number): number => Math.floor(time_ms / DAY_ms);
