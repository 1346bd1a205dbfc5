import { FUND_ACCOUNT } from "../contract/codes.ts";
import { exact } from "../integers.ts";
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
