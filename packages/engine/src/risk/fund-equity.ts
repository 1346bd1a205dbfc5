import { FUND_ACCOUNT } from "../contract/codes.ts";
import { exact, FLOOR, mulDiv } from "../integers.ts";
import { outflowCap } from "../rules/fund.ts";
import { ONE_e8 } from "../rules/units.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";

/** FUT-21: principal and open positions at the index. */
export function fundEquity(state: State): number {
  const { accounts, positions, markets } = state;
  let equity = accounts.principal(FUND_ACCOUNT);
  for (let at = accounts.firstPosition(FUND_ACCOUNT); at !== NO_POSITION; at = positions.next(at)) {
    equity += openWorth(state, markets[positions.market(at)]!, at);
  }
  return exact(equity);
}

/** FUT-22: what the fund has realised in a market, and its position there at the index. */
export function fundWorth(state: State, market: MarketState): number {
  const position = state.positions.find(FUND_ACCOUNT, market.number);
  return exact(market.fund.realised_micros + openWorth(state, market, position));
}

/** FUT-22: what the fund may lose in a market in this hour. */
export function fundCap({ fundHours }: State, { rules }: MarketState): number {
  return outflowCap(fundHours.start_micros, rules.fundOutflow_e8);
}

/** FUT-22: what the fund has lost in a market since the hour began. */
export function fundOutflow(state: State, market: MarketState): number {
  return market.fund.worthAtStart_micros - fundWorth(state, market);
}

/** FUT-21: the largest position that the fund may hold in a market. */
export function fundLimitLots(state: State, { rules, indexTicks, definition }: MarketState): number {
  const part = mulDiv(Math.max(0, fundEquity(state)), rules.fundInventory_e8, ONE_e8, FLOOR);
  return mulDiv(part, 1, indexTicks * definition.unit_micros, FLOOR);
}

function openWorth({ positions }: State, market: MarketState, position: number): number {
  return positions.lots(position) * market.indexTicks * market.definition.unit_micros - positions.cost(position);
}

/** The hour in which the state's time is: from now on outflows are counted anew. */
export function beginFundHour(state: State): void {
  const { fundHours, markets, time_ms } = state;
  for (const market of markets) market.fund.worthAtStart_micros = fundWorth(state, market);
  const hour = Math.floor(time_ms / HOUR_ms);
  fundHours.begin(hour, fundEquity(state));
  state.fairness.release(hour);
}

export const HOUR_ms = 3_600_000;
