import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
  readonly timeout_ms?: number;
  readonly interval_ms?: number;
  /** Part of the error when the time is up. */
  readonly what: string;
}

/**
 * Repeats until the condition returns something other than false, null or undefined, and returns that. A condition that
 * throws has failed: waiting does not hide errors.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeout_ms = 30_000, interval_ms = 50, what }: WaitOptions,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline_ms = performance.now() + timeout_ms;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== null && value !== undefined) return value as Exclude<T, false | null | undefined>;
    if (performance.now() > deadline_ms) throw new Error(`waited ${timeout_ms} ms in vain for ${what}`);
    await sleep(interval_ms);
  }
}
