import { DAY_ms, MINUTE_ms } from "../dates.ts";

/** SEC-10: 2 min → 10 min → 1 h → 1 d → 3 d. */
export const BAN_LADDER_MS = [2 * MINUTE_ms, 10 * MINUTE_ms, 60 * MINUTE_ms, DAY_ms, 3 * DAY_ms] as const;
/** The number of refused requests within one limit window after which further requests count as abuse. */
export const REFUSALS_BEFORE_BAN = 10;
const MAX_ADDRESSES = 100_000;

interface AddressRecord {
  refusals: number;
  windowEnds_ms: number;
  level: number;
  bannedUntil_ms: number;
}

/**
 * IPs that continue after 429 are banned. Runs on real time, whatever the platform's clock says. Each clean day after a ban takes
 * one step off the ladder. Bounded: the IP unseen for longest is forgotten first.
 */
export class Bans {
  readonly #records = new Map<string, AddressRecord>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Milliseconds until the ban of the IP ends; 0 if it is not banned. */
  remaining_ms(address: string): number {
    const record = this.#records.get(address);
    return record ? Math.max(0, record.bannedUntil_ms - this.#now()) : 0;
  }

  /** Records a request refused with 429 in a window that ends in `windowLeft_ms`; returns whether the IP is banned now. */
  noteRefusal(address: string, windowLeft_ms: number): boolean {
    const now_ms = this.#now();
    const record = this.#touch(address, now_ms);
    if (now_ms >= record.windowEnds_ms) {
      record.refusals = 0;
      record.windowEnds_ms = now_ms + windowLeft_ms;
    }
    record.refusals += 1;
    if (record.refusals <= REFUSALS_BEFORE_BAN) return false;
    const length_ms = BAN_LADDER_MS[Math.min(record.level, BAN_LADDER_MS.length - 1)]!;
    record.bannedUntil_ms = now_ms + length_ms;
    record.level = Math.min(record.level + 1, BAN_LADDER_MS.length);
    record.refusals = 0;
    return true;
  }

  #touch(address: string, now_ms: number): AddressRecord {
    const known = this.#records.get(address);
    const record = known ?? { refusals: 0, windowEnds_ms: 0, level: 0, bannedUntil_ms: 0 };
    const cleanDays = Math.floor((now_ms - record.bannedUntil_ms) / DAY_ms);
    if (record.level > 0 && cleanDays > 0) {
      record.level = Math.max(0, record.level - cleanDays);
      record.bannedUntil_ms += cleanDays * DAY_ms;
    }
    if (known) this.#records.delete(address);
    else if (this.#records.size >= MAX_ADDRESSES) this.#records.delete(this.#records.keys().next().value!);
    this.#records.set(address, record);
    return record;
  }
}
