import type { Clock } from "../kernel/clock.ts";
import { MAX_ACCESS_LIFE_MS } from "./tokens.ts";

/** A concurrent refresh may sign a token shortly after its session was revoked. */
const SIGNING_DELAY_MS = 60_000;

/** How long a revoked session is remembered: until none of its access tokens can be valid. */
export const REVOCATION_LIFE_MS = MAX_ACCESS_LIFE_MS + SIGNING_DELAY_MS;

/** The revoked sessions whose access tokens may still be valid, in memory, so that authentication never queries the database. */
export class Revocations {
  readonly #clock: Clock;
  /** In the order of revocation, oldest first. */
  readonly #forgetAt_ms = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(sessionId: string, revokedAt_ms: number): void {
    this.#forgetOld();
    if (!this.#forgetAt_ms.has(sessionId)) this.#forgetAt_ms.set(sessionId, revokedAt_ms + REVOCATION_LIFE_MS);
  }

  has(sessionId: string): boolean {
    return this.#forgetAt_ms.has(sessionId);
  }

  get size(): number {
    return this.#forgetAt_ms.size;
  }

  #forgetOld(): void {
    const now_ms = this.#clock.now();
    for (const [sessionId, forgetAt_ms] of this.#forgetAt_ms) {
      if (forgetAt_ms > now_ms) return;
      this.#forgetAt_ms.delete(sessionId);
    }
  }
}
