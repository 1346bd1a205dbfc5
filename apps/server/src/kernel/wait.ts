import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits for the work for at most the given time; the work itself continues. At the timeout it throws the given error, or without
 * one resolves with undefined.
 */
export async function within<Result>(work: Promise<Result>, most_ms: number): Promise<Result | undefined>;
export async function within<Result>(work: Promise<Result>, most_ms: number, late: () => Error): Promise<Result>;
export async function within<Result>(
  work: Promise<Result>,
  most_ms: number,
  late?: () => Error,
): Promise<Result | undefined> {
  const timeUp = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    if (late === undefined) timeUp.resolve(undefined);
    else timeUp.reject(late());
  }, most_ms);
  try {
    return await Promise.race([work, timeUp.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for the answer; rejects where it takes longer than the time given. */
export const answerWithin = <Answer>(asked: Promise<Answer>, most_ms: number): Promise<Answer> =>
  within(asked, most_ms, () => new Error(`no answer within ${most_ms} ms`));

/** Waits, or returns early once the signal is aborted. */
export async function sleep(duration_ms: number, signal: AbortSignal): Promise<void> {
  await delay(duration_ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
