import { DAY_ms, dayNumberOf, dayOf } from "../kernel/dates.ts";

export const EPOCH_ms = 7 * DAY_ms;

/** Scores earn positions at each midnight. */
export const EARN_JOB = "points-earn";

export const dayStart_ms = (day: number): number => day * DAY_ms;
/** YYYY-MM-DD. */
export const dayText = (day: number): string => dayOf(day * DAY_ms);

/** PTS-1: epochs of seven days, counted from 1 at the genesis, which is a Monday 00:00 UTC. Earlier epochs are below 1. */
export class Epochs {
  readonly genesis_ms: number;

  constructor(genesis_ms: number) {
    const isMonday = new Date(genesis_ms).getUTCDay() === 1;
    if (!isMonday || genesis_ms % DAY_ms !== 0) throw new RangeError("the genesis must be a Monday 00:00 UTC");
    this.genesis_ms = genesis_ms;
  }

  of(time_ms: number): number {
    return Math.floor((time_ms - this.genesis_ms) / EPOCH_ms) + 1;
  }

  ofDay(day: number): number {
    return this.of(dayStart_ms(day));
  }

  start_ms(epoch: number): number {
    return this.genesis_ms + (epoch - 1) * EPOCH_ms;
  }

  /** The first moment after the epoch. */
  end_ms(epoch: number): number {
    return this.start_ms(epoch + 1);
  }

  lastDayOf(epoch: number): number {
    return dayNumberOf(this.end_ms(epoch)) - 1;
  }
}
