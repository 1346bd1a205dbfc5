/** A time as dumps show it. */
export const timeText = (time_ms: number): string => new Date(time_ms).toISOString();
