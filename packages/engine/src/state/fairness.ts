/** VLT-3: a gain is held for 72 hours, counted in full hours after the one in which it was made. */
const HELD_hours = 72;

/** BON-7: of a running bonus, or what one that has ended left owing. */
export interface FairBonus {
  grant_micros: number;
  /** What fills cost against the mark. */
  slip_micros: number;
  /** What principal should bear alone of losses to come. */
  own_micros: number;
  /** What the bonus paid of unfair losses. */
  owed_micros: number;
}

interface HeldGain {
  readonly hour: number;
  micros: number;
}

/** Fair prices for bonus money (BON-7) and gains that are held (VLT-3). Empty before rules version 5. */
export class Fairness {
  /** By account. */
  readonly bonuses = new Map<number, FairBonus>();
  /** By account, oldest first. */
  readonly held = new Map<number, HeldGain[]>();

  owedOf(account: number): number {
    return this.bonuses.get(account)?.owed_micros ?? 0;
  }

  hold(account: number, hour: number, micros: number): void {
    const gains = this.held.get(account);
    const last = gains?.at(-1);
    if (gains === undefined) this.held.set(account, [{ hour, micros }]);
    else if (last?.hour === hour) last.micros += micros;
    else gains.push({ hour, micros });
  }

  heldOf(account: number): number {
    return (this.held.get(account) ?? []).reduce((sum, { micros }) => sum + micros, 0);
  }

  /** An hour has begun: what has been held long enough is free. */
  release(hour: number): void {
    for (const [account, gains] of this.held) {
      const left = gains.filter((gain) => gain.hour + HELD_hours >= hour);
      if (left.length === 0) this.held.delete(account);
      else this.held.set(account, left);
    }
  }
}
