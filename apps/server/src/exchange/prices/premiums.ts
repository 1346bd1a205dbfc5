import { averagePremium_e8 } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";

/** The current hour, the previous one, which is being settled, and one more in case a settlement is repeated. */
const HOURS_KEPT = 3;

interface HourOfSamples {
  /** The hour since 1970 at whose beginning it is settled. */
  readonly hour: number;
  sum_e8: number;
  count: number;
}

/** The hour at whose beginning the funding of a moment is settled: the next full hour, also for a full hour itself. */
export const settlementHour = (time_ms: number): number => Math.floor(time_ms / HOUR_ms) + 1;

/**
 * FUT-14: sums of a market's premium samples by hour. In memory only: after a restart, an hour's premium is the mean of
 * the samples since, and 0 without samples.
 */
export class Premiums {
  #hours: HourOfSamples[] = [];

  add(time_ms: number, premium_e8: number): void {
    const hour = settlementHour(time_ms);
    let last = this.#hours.at(-1);
    if (last === undefined || last.hour < hour) {
      last = { hour, sum_e8: 0, count: 0 };
      this.#hours = [...this.#hours, last].slice(-HOURS_KEPT);
    }
    last.sum_e8 += premium_e8;
    last.count += 1;
  }

  /** The mean premium of the hour that is settled at the beginning of `hour`. */
  average_e8(hour: number): number {
    const found = this.#hours.find((kept) => kept.hour === hour);
    return found === undefined ? 0 : averagePremium_e8(found.sum_e8, found.count);
  }
}
