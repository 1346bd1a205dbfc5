import { BONUS_STATES, isRunningBonus } from "../rules/bonus-states.ts";
import type { State } from "../state/state.ts";
import { beginFundHour } from "./fund-equity.ts";

/** Where the rules of version 5 begin to hold in a state that has been used before. */
export function beginFairMarkets(state: State): void {
  const { accounts, fairness, markets, time_ms } = state;
  for (const market of markets) {
    market.setRules(market.rules, true);
    market.fund.since_ms = time_ms;
  }
  for (let account = 1; account <= accounts.count; account += 1) {
    if (!isRunningBonus(BONUS_STATES[accounts.bonusState(account)]!)) continue;
    // What has returned of an expired bonus is not known; it may open nothing any more.
    const grant_micros = accounts.bonus(account) + accounts.consumed(account);
    fairness.bonuses.set(account, { grant_micros, slip_micros: 0, own_micros: 0, owed_micros: 0 });
  }
  beginFundHour(state);
}
