export type Instant = string | number;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const two = (value: number) => String(value).padStart(2, "0");

export const msOf = (instant: Instant): number => (typeof instant === "number" ? instant : Date.parse(instant));

/** In the reader's own zone: 2026-06-01 14:03:22. */
export function formatLocal(instant: Instant, precision: "second" | "minute" | "day" = "second"): string {
  const at = new Date(msOf(instant));
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  if (precision === "day") return day;
  const minute = `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
  return precision === "minute" ? minute : `${minute}:${two(at.getSeconds())}`;
}

export const formatClock = (instant: Instant): string => formatLocal(instant).slice(11);

export const formatUtc = (instant: Instant): string =>
  `${new Date(msOf(instant)).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** What is left or has passed, in its two largest units: 6 d 04 h, 12 min 09 s. */
export function formatDuration(duration_ms: number): string {
  const left = Math.max(0, Math.floor(duration_ms / 1000) * 1000);
  const days = Math.floor(left / DAY_MS);
  const hours = Math.floor((left % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((left % MINUTE_MS) / 1000);
  if (days > 0) return `${days} d ${two(hours)} h`;
  if (hours > 0) return `${hours} h ${two(minutes)} min`;
  if (minutes > 0) return `${minutes} min ${two(seconds)} s`;
  return `${seconds} s`;
}
