import { averagePremium_e8 } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";

/** FUT-14: the interval of premium samples. */
export const SLOT_ms = 5_000;
const SLOTS = HOUR_ms / SLOT_ms;
/** The current hour, the previous one, which is being settled, and one more in case a settlement is repeated. */
const HOURS_KEPT = 3;

/** The samples of an hour by the rules of version 5. */
export interface KeptHour {
  /** The hour since 1970 at whose beginning it is settled. */
  readonly hour: number;
  readonly sum_e8: number;
  /** The last 5-second slot of the hour that has a sample. */
  readonly slot: number;
}

interface HourOfSamples {
  readonly hour: number;
  /** Whether the samples were taken by the rules of version 5. */
  readonly isFair: boolean;
  sum_e8: number;
  /** Before version 5 the mean is over the samples. */
  count: number;
  slot: number;
}

/** The hour at whose beginning the funding of a moment is settled: the next full hour, also for a full hour itself. */
export const settlementHour = (time_ms: number): number => Math.floor(time_ms / HOUR_ms) + 1;

/** The 5-second slot of its hour that a moment is in, from 0. */
export const slotOf = (time_ms: number): number => Math.floor((time_ms % HOUR_ms) / SLOT_ms);

/**
 * FUT-14: sums of a market's premium samples by hour. By the rules of version 5 an hour's premium is the sum over the
 * slots that have passed, sampled or not, and the sums outlive a restart. Before, it is the mean of the samples, and
 * after a restart of the samples since.
 */
export class Premiums {
  #hours: HourOfSamples[];

  constructor(kept: readonly KeptHour[] = []) {
    this.#hours = kept.map((hour) => ({ ...hour, isFair: true, count: 0 }));
  }

  /** By the rules of version 5: whether the slot of this moment has no sample yet. */
  isDue(time_ms: number): boolean {
    const last = this.#hours.at(-1);
    return last === undefined || !last.isFair || last.hour < settlementHour(time_ms) || last.slot < slotOf(time_ms);
  }

  add(time_ms: number, premium_e8: number, isFair: boolean): void {
    const sampled = this.#hourOf(settlementHour(time_ms), isFair);
    sampled.sum_e8 += premium_e8;
    sampled.count += 1;
    sampled.slot = slotOf(time_ms);
  }

  /** The premium of the hour that is settled at the beginning of `hour`, as known now. */
  average_e8(hour: number, now_ms: number): number {
    const found = this.#hours.find((kept) => kept.hour === hour);
    if (found === undefined) return 0;
    const isOver = now_ms >= hour * HOUR_ms;
    const slots = isOver ? SLOTS : slotOf(now_ms) + 1;
    return averagePremium_e8(found.sum_e8, found.isFair ? slots : found.count);
  }

  /** What outlives a restart. */
  get kept(): KeptHour[] {
    return this.#hours.filter(({ isFair }) => isFair).map(({ hour, sum_e8, slot }) => ({ hour, sum_e8, slot }));
  }

  #hourOf(hour: number, isFair: boolean): HourOfSamples {
    const last = this.#hours.at(-1);
    const isSameHour = last !== undefined && last.hour >= hour;
    if (isSameHour && last.isFair === isFair) return last;
    // An hour in which the rules change begins anew: samples of the one kind mean nothing to the other.
    const before = isSameHour ? this.#hours.slice(0, -1) : this.#hours;
    const next = { hour, isFair, sum_e8: 0, count: 0, slot: 0 };
    this.#hours = [...before, next].slice(-HOURS_KEPT);
    return next;
  }
}
