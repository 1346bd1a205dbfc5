import type { Unstamped } from "../../exchange/index.ts";
import type { BonusOptions } from "../options.ts";
import type { BonusTimers, TimedBonus } from "./timers.ts";

export type ExpiryOptions = Pick<BonusOptions, "clock" | "exchange"> & { readonly timers: BonusTimers };

/** The counts of one sweep. */
export interface ExpiryReport {
  /** Bonuses whose time was over: returned at once, or waiting for their positions to be closed. */
  readonly expired: number;
  readonly recalled: number;
  readonly expired_pending: number;
  /**
   * Bonuses whose grace period was over: ended by closing their positions, or still with positions for which the book has no
   * counterparty.
   */
  readonly closed: number;
  readonly still_open: number;
}

/** The maximum number of commands that a sweep has waiting in the exchange. */
const AT_ONCE = 1_000;

/**
 * BON-9: ends bonuses whose time is over. The engine decides by its own time. A repeated command changes nothing, so a sweep can be
 * interrupted and repeated at any moment.
 */
export class ExpirySweep {
  readonly #options: ExpiryOptions;

  constructor(options: ExpiryOptions) {
    this.#options = options;
  }

  /** Expiries first, then closings: a bonus that has just expired may be due for closing. */
  async run(): Promise<ExpiryReport> {
    const { timers, clock } = this.#options;
    const now_ms = clock.now();
    const expired = await this.#send("expire_bonus", timers.expiring(now_ms));
    const closed = await this.#send("close_expired_bonus", timers.closing(now_ms));
    return {
      expired: expired.ended + expired.waiting,
      recalled: expired.ended,
      expired_pending: expired.waiting,
      closed: closed.ended,
      still_open: closed.waiting,
    };
  }

  async #send(kind: "expire_bonus" | "close_expired_bonus", due: readonly TimedBonus[]) {
    const { exchange } = this.#options;
    let ended = 0;
    for (let at = 0; at < due.length; at += AT_ONCE) {
      const commands = due.slice(at, at + AT_ONCE).map(({ account }): Unstamped => ({ kind, account }));
      const applied = await Promise.all(commands.map((command) => exchange.submit(command, true)));
      for (const { events } of applied) {
        if (events.some((event) => event.kind === "bonus_state_set" && event.state === "recalled")) ended += 1;
      }
    }
    return { ended, waiting: due.length - ended };
  }
}
