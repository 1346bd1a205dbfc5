const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The UTC day of a moment. */
export const dayOf = (at_ms: number): string => new Date(at_ms).toISOString().slice(0, 10);
export const dayBefore = (at_ms: number): string => dayOf(at_ms - DAY_MS);

/** Whether it is a day of the calendar: 2026-02-30 is none. */
export const isDay = (text: string): boolean => {
  if (!DAY.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && dayOf(at.getTime()) === text;
};

/** Whether a day is over by the platform's clock: only then it can be paid. */
export function phaseOf(day: string, now_ms: number): "over" | "running" | "ahead" {
  const today = dayOf(now_ms);
  if (day === today) return "running";
  return day < today ? "over" : "ahead";
}
