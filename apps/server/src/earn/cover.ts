import type { Clock } from "../kernel/clock.ts";
import type { EarnContract } from "./contract.ts";
import type { OtherReservation } from "./reservation-store.ts";

/** ERN-4: for so long a reservation needs no allowance: the wallet is asked for it after it has its voucher. */
export const GRACE_s = 120;
/** A reading holds for this time, so that whoever asks again and again does not make the chain be read again and again. */
const HOLDS_ms = 5_000;
/** Wallets that one request reads; further ones are read by the next request, and count until then. */
export const MAX_READ_wallets = 64;

export interface CoverOptions {
  readonly clock: Clock;
  readonly contract: Pick<EarnContract, "behind">;
  /** Receives the error when the chain cannot be asked. */
  readonly onError: (error: unknown) => void;
}

interface Reading {
  readonly isCovered: boolean;
  readonly until_ms: number;
}

/**
 * ERN-4: which reservations have money behind them. Read only when somebody would be refused for them. While the chain does not
 * answer, and for what was not read yet, a reservation counts: nobody can subscribe without the chain either.
 */
export class Cover {
  readonly #options: CoverOptions;
  /** By digest. */
  readonly #readings = new Map<string, Reading>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: CoverOptions) {
    this.#options = options;
  }

  /** The digests of those reservations that nothing stands behind. One after another: a later request has the earlier one's readings. */
  uncovered(others: readonly OtherReservation[]): Promise<string[]> {
    const result = this.#turn.then(() => this.#uncovered(others));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #uncovered(others: readonly OtherReservation[]): Promise<string[]> {
    const now_ms = this.#options.clock.now();
    for (const [digest, { until_ms }] of this.#readings) if (until_ms <= now_ms) this.#readings.delete(digest);
    const unread = others.filter(({ digest }) => !this.#readings.has(digest)).slice(0, MAX_READ_wallets);
    try {
      if (unread.length > 0) await this.#read(unread, now_ms);
    } catch (error) {
      this.#options.onError(error);
    }
    return others.flatMap(({ digest }) => (this.#readings.get(digest)?.isCovered === false ? [digest] : []));
  }

  async #read(others: readonly OtherReservation[], now_ms: number): Promise<void> {
    const behind = await this.#options.contract.behind(others);
    for (const [place, { balance, allowance, isUsed }] of behind.entries()) {
      const { digest, needed, reserved_s } = others[place]!;
      const needsAllowance = now_ms >= (reserved_s + GRACE_s) * 1_000;
      const isEnough = balance >= needed && (!needsAllowance || allowance >= needed);
      // A used voucher is a subscription that is not indexed yet.
      this.#readings.set(digest, { isCovered: isUsed || isEnough, until_ms: now_ms + HOLDS_ms });
    }
  }
}
