import { formatDuration } from "../../lib/time.ts";

export const UNITS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type Unit = keyof typeof UNITS;

/** The server moves at most ten years at once. */
const FARTHEST_MS = 3_660 * UNITS.day;
/** Below that it is the way of the messages, not a moved clock. */
const NOISE_MS = 5_000;

/** What was typed as a step; undefined where it is none. */
export function stepMs(amount: string, unit: Unit): number | undefined {
  if (!/^\d{1,7}$/.test(amount.trim())) return undefined;
  const step_ms = Number(amount) * UNITS[unit];
  return step_ms > 0 && step_ms <= FARTHEST_MS ? step_ms : undefined;
}

export function leadWords(lead_ms: number): string {
  if (Math.abs(lead_ms) < NOISE_MS) return "the same";
  return lead_ms > 0 ? `${formatDuration(lead_ms)} ahead` : `${formatDuration(-lead_ms)} behind`;
}
