const FIRST_MS = 500;

/** Nothing was found in time; it may still come. */
export class NotYet extends Error {
  constructor(what: string) {
    super(what);
    this.name = "NotYet";
  }
}

export interface PollOptions {
  /** The longest pause between two looks. */
  readonly interval_ms: number;
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  /** Said when the time is up. */
  readonly late: string;
}

const POLLS = 10;

/** For what the exchange reads from the chain: it polls every `poll_seconds`, and may be some polls late. */
export const chainPoll = (poll_seconds: number, signal: AbortSignal, late: string): PollOptions => ({
  interval_ms: Math.max(2, poll_seconds / 3) * 1000,
  timeout_ms: POLLS * poll_seconds * 1000,
  signal,
  late,
});

function pause(duration_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, duration_ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Looks at once, then in growing pauses, until there is something. */
export async function poll<T>(look: () => Promise<T | undefined>, options: PollOptions): Promise<T> {
  const deadline = performance.now() + options.timeout_ms;
  for (let wait_ms = FIRST_MS; ; wait_ms = Math.min(wait_ms * 1.5, options.interval_ms)) {
    options.signal.throwIfAborted();
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() + wait_ms > deadline) throw new NotYet(options.late);
    await pause(wait_ms, options.signal);
  }
}
