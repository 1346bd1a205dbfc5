import { BONUS_STATES, type BonusState } from "@bourse/engine";
import type { Applied, Exchange } from "../../exchange/host/exchange.ts";

const HOUR_ms = 3_600_000;
const DAY_ms = 24 * HOUR_ms;
/** BON-9: so long before the expiry its owner is warned. */
export const WARNINGS_ms = [DAY_ms, HOUR_ms] as const;
/** BON-9: so long after the expiry what is left is closed. */
export const GRACE_ms = 7 * DAY_ms;

/** A bonus whose time runs. */
export interface TimedBonus {
  readonly account: number;
  readonly state: BonusState;
  readonly expires_ms: number;
}

/** When something is to be done about it, whatever the order. */
function momentsOf({ state, expires_ms }: TimedBonus): readonly number[] {
  if (state === "expired_pending") return [expires_ms + GRACE_ms];
  return [...WARNINGS_ms.map((before_ms) => expires_ms - before_ms), expires_ms];
}

const byExpiry = (a: TimedBonus, b: TimedBonus) => a.expires_ms - b.expires_ms || a.account - b.account;

/** The clocks of all running bonuses, in memory: begun with what the engine holds, kept by what it says. */
export class BonusTimers {
  readonly #running = new Map<number, TimedBonus>();
  /** The last answer of `nextAfter`, until something changes. */
  #asked: { readonly after_ms: number; readonly next_ms: number | undefined } | undefined;

  /** To be made in the same turn as the engine's state is looked at, so that nothing is missed in between. */
  constructor(exchange: Exchange) {
    const { accounts } = exchange.engine.state;
    for (let account = 1; account <= accounts.count; account += 1) {
      const state = BONUS_STATES[accounts.bonusState(account)] ?? "none";
      this.#set({ account, state, expires_ms: accounts.expires_ms(account) });
    }
    exchange.listen((applied) => this.#hear(applied));
  }

  /** The first moment after that one at which a bonus expires, is closed, or its owner is to be warned. */
  nextAfter(after_ms: number): number | undefined {
    if (this.#asked?.after_ms === after_ms) return this.#asked.next_ms;
    let next_ms: number | undefined;
    for (const bonus of this.#running.values()) {
      for (const moment_ms of momentsOf(bonus)) {
        if (moment_ms > after_ms && (next_ms === undefined || moment_ms < next_ms)) next_ms = moment_ms;
      }
    }
    this.#asked = { after_ms, next_ms };
    return next_ms;
  }

  /** Those that have reached their time and are not expired yet, the longest due first. */
  expiring(now_ms: number): TimedBonus[] {
    return this.#due((bonus) => bonus.state !== "expired_pending" && bonus.expires_ms <= now_ms);
  }

  /** Those whose grace is over and that still have positions, the longest due first. */
  closing(now_ms: number): TimedBonus[] {
    return this.#due((bonus) => bonus.state === "expired_pending" && bonus.expires_ms + GRACE_ms <= now_ms);
  }

  #due(isDue: (bonus: TimedBonus) => boolean): TimedBonus[] {
    return [...this.#running.values()].filter(isDue).sort(byExpiry);
  }

  #hear({ events }: Applied): void {
    for (const event of events) {
      if (event.kind === "bonus_state_set") this.#set(event);
    }
  }

  #set({ account, state, expires_ms }: TimedBonus): void {
    if (state === "none" || state === "recalled") this.#running.delete(account);
    else this.#running.set(account, { account, state, expires_ms });
    this.#asked = undefined;
  }
}
