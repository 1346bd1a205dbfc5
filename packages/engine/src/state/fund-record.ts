/** In place of a time: until an admin resumes the market. */
export const UNTIL_RESUMED = Number.MAX_SAFE_INTEGER;
const HOURS_OF_DAY = 24;

/** FUT-21, FUT-22: what the fund has done in one market. From rules version 5 on. */
export class FundInMarket {
  /** Fills, liquidation fees, funding and residues since these rules hold. */
  realised_micros = 0;
  /** The worth, realised and open, when the hour began or an admin resumed the market. */
  worthAtStart_micros = 0;
  /** Since when its position is not zero; means nothing while it is. */
  since_ms = 0;
  /** The second in which it last tried to unwind. */
  unwound_s = -1;
  /** 0: not capped. */
  cappedUntil_ms = 0;
  /** Whether the cap took the market out of TRADING, so that its end brings it back. */
  isStopped = false;

  get isCapped(): boolean {
    return this.cappedUntil_ms !== 0;
  }
}

/** FUT-22: the fund's equity over the hours. From rules version 5 on. */
export class FundHours {
  /** The UTC hour, in hours since 1970. */
  hour = 0;
  /** The equity when it began, and what was seeded since. */
  start_micros = 0;
  /** The highest equity of each of the last 24 hours, oldest first. */
  highs: { readonly hour: number; highest_micros: number }[] = [];

  begin(hour: number, equity_micros: number): void {
    this.hour = hour;
    this.start_micros = equity_micros;
    this.note(equity_micros);
  }

  note(equity_micros: number): void {
    const last = this.highs.at(-1);
    if (last?.hour === this.hour) {
      last.highest_micros = Math.max(last.highest_micros, equity_micros);
      return;
    }
    this.highs = this.highs.filter(({ hour }) => hour > this.hour - HOURS_OF_DAY);
    this.highs.push({ hour: this.hour, highest_micros: equity_micros });
  }

  /** After a brake an admin begins to count anew. */
  restart(equity_micros: number): void {
    this.highs = [];
    this.begin(this.hour, equity_micros);
  }

  get highest_micros(): number {
    return Math.max(0, ...this.highs.map(({ highest_micros }) => highest_micros));
  }
}
