import { BONUS_STATES, type BonusState } from "@bourse/engine";
import type { Applied, Exchange } from "../../exchange/index.ts";
import { DAY_ms, HOUR_ms } from "../../kernel/dates.ts";

/** BON-9: how long before the expiry the owner is warned. */
export const WARNINGS_ms = [DAY_ms, HOUR_ms] as const;
/** BON-9: how long after the expiry open positions are closed. */
export const GRACE_ms = 7 * DAY_ms;

/** A bonus that has not ended. */
export interface TimedBonus {
  readonly account: number;
  readonly state: BonusState;
  readonly expires_ms: number;
}

/** The moments at which the bonus needs an action, in no particular order. */
function momentsOf({ state, expires_ms }: TimedBonus): readonly number[] {
  if (state === "expired_pending") return [expires_ms + GRACE_ms];
  return [...WARNINGS_ms.map((before_ms) => expires_ms - before_ms), expires_ms];
}

const byExpiry = (a: TimedBonus, b: TimedBonus) => a.expires_ms - b.expires_ms || a.account - b.account;

/** The due times of all running bonuses, in memory: initialised from the engine's state, updated by its events. */
export class BonusTimers {
  readonly #running = new Map<number, TimedBonus>();
  /** The last answer of `nextAfter`; cleared by every change. */
  #asked: { readonly after_ms: number; readonly next_ms: number | undefined } | undefined;

  /** Must be constructed in the same synchronous turn in which the engine's state is read, so that no event is missed. */
  constructor(exchange: Exchange) {
    const { accounts } = exchange.engine.state;
    for (let account = 1; account <= accounts.count; account += 1) {
      const state = BONUS_STATES[accounts.bonusState(account)] ?? "none";
      this.#set({ account, state, expires_ms: accounts.expires_ms(account) });
    }
    exchange.listen((applied) => this.#hear(applied));
  }

  /** The first moment after `after_ms` at which a bonus expires, must be closed, or needs a warning. */
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

  /** Bonuses that are due to expire, the longest overdue first. */
  expiring(now_ms: number): TimedBonus[] {
    return this.#due((bonus) => bonus.state !== "expired_pending" && bonus.expires_ms <= now_ms);
  }

  /** Bonuses with positions whose grace period is over, the longest overdue first. */
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
