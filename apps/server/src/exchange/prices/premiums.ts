import { averagePremium_e8 } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";

/** The hour that runs, the one before it, which is being settled, and one that a failed settlement may still need. */
const HOURS_KEPT = 3;

interface HourOfSamples {
  /** The hour at whose beginning it is settled, since 1970. */
  readonly hour: number;
  sum_e8: number;
  count: number;
}

/** The hour at whose beginning a moment's funding is settled: the next full one. A full hour opens the next. */
export const settlementHour = (time_ms: number): number => Math.floor(time_ms / HOUR_ms) + 1;

/**
 * FUT-14: a market's premium, summed up hour by hour. In memory only: after a restart an hour's premium is the mean of
 * what was sampled since, and 0 where nothing was.
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
