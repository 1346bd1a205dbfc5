// The server takes 10 messages a second and 20 at once after a quiet while; some are left for pings.
const MESSAGES_PER_S = 8;
const MAX_AT_ONCE = 16;

/** How many messages may be sent now: a bucket that fills up with time. */
export class SendBudget {
  #left = MAX_AT_ONCE;
  #counted_ms: number;

  constructor(now_ms: number) {
    this.#counted_ms = now_ms;
  }

  /** Takes one message out of it if there is one. */
  take(now_ms: number): boolean {
    const filled = ((now_ms - this.#counted_ms) * MESSAGES_PER_S) / 1000;
    this.#left = Math.min(MAX_AT_ONCE, this.#left + filled);
    this.#counted_ms = now_ms;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Until the next message may be sent. */
  get wait_ms(): number {
    return Math.ceil((Math.max(0, 1 - this.#left) * 1000) / MESSAGES_PER_S);
  }
}
