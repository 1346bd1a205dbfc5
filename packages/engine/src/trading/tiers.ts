import type { TIER_CHANGES } from "../contract/events.ts";
import {
  decideTier,
  FEE_TIERS,
  TIER_DOWNGRADE,
  TIER_SCHEDULE,
  TIER_STAYS,
  TIER_UPGRADE,
  tierOfVolume,
} from "../rules/fees.ts";
import { addVolume, rollVolumes, sumVolumes, TIER_WINDOW_days, VOLUME_DAYS } from "../rules/volumes.ts";
import { FLAG_DOWNGRADE } from "../state/accounts.ts";
import type { State } from "../state/state.ts";

/** By tier: the 14-day volume from which the next tier applies. */
const NEXT_FROM_micros = Float64Array.from(FEE_TIERS, (_, tier) =>
  tier + 1 < FEE_TIERS.length ? FEE_TIERS[tier + 1]!.minVolume14d_micros : Number.POSITIVE_INFINITY,
);

/** Two windows: after that many midnights every volume is zero and every announced downgrade has been applied. */
const MIDNIGHTS_THAT_MATTER = 2 * VOLUME_DAYS;

/** FUT-15: volumes and the tiers that follow from them. */
export class Tiers {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Called after a fill, whose value is at an index of the figures. */
  addVolume(account: number, figures: Float64Array, index: number): void {
    const { accounts, day } = this.#state;
    const notional_micros = figures[index]!;
    addVolume(accounts.volumes, accounts.volumesAt(account), day, notional_micros);
    const volume = Math.min(accounts.volume14d(account) + notional_micros, Number.MAX_SAFE_INTEGER);
    accounts.setVolume14d(account, volume);
    if (volume >= NEXT_FROM_micros[accounts.tier(account)]! || accounts.hasFlag(account, FLAG_DOWNGRADE)) {
      this.#judge(account, false);
    }
  }

  /** Processes the midnights up to a day, one by one. */
  rollTo(today: number): void {
    const state = this.#state;
    const first = Math.max(state.day + 1, today - MIDNIGHTS_THAT_MATTER + 1);
    for (let day = first; day <= today; day += 1) this.#rollAll(day);
    state.day = today;
  }

  #rollAll(day: number): void {
    const { accounts } = this.#state;
    const lastDay = this.#state.day;
    this.#state.day = day;
    for (let account = 1; account <= accounts.count; account += 1) {
      const at = accounts.volumesAt(account);
      rollVolumes(accounts.volumes, at, lastDay, day);
      accounts.setVolume14d(account, sumVolumes(accounts.volumes, at, day, TIER_WINDOW_days));
      this.#judge(account, true);
    }
  }

  #judge(account: number, isMidnight: boolean): void {
    const { accounts } = this.#state;
    const previousTier = accounts.tier(account);
    const byVolume = tierOfVolume(accounts.volume14d(account));
    const isScheduled = accounts.hasFlag(account, FLAG_DOWNGRADE);
    const action = decideTier(previousTier, byVolume, isScheduled, isMidnight);
    if (action === TIER_STAYS) return;
    if (action === TIER_SCHEDULE) {
      accounts.raiseFlag(account, FLAG_DOWNGRADE);
      this.#tell(account, "downgrade_scheduled", byVolume, previousTier);
      return;
    }
    accounts.lowerFlag(account, FLAG_DOWNGRADE);
    accounts.setTier(account, byVolume);
    if (action === TIER_UPGRADE) this.#tell(account, "upgrade_immediate", byVolume, previousTier);
    else if (action === TIER_DOWNGRADE) this.#tell(account, "downgrade_applied", byVolume, previousTier);
    else this.#tell(account, "downgrade_canceled", byVolume, previousTier);
  }

  #tell(account: number, change: (typeof TIER_CHANGES)[number], tier: number, previousTier: number): void {
    const volume14d_micros = this.#state.accounts.volume14d(account);
    this.#state.events.emit("tier_changed", { account, change, tier, previousTier, volume14d_micros });
  }
}
