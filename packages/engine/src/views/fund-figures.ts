import { FUND_ACCOUNT } from "../contract/codes.ts";
import { fundCap, fundEquity, fundLimitLots, fundOutflow } from "../risk/fund-equity.ts";
import { UNTIL_RESUMED } from "../state/fund-record.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";

/** FUT-21, FUT-22: the fund as a whole. */
export interface FundFigures {
  readonly principal_micros: number;
  /** Principal and open positions at the index. */
  readonly equity_micros: number;
  /** The highest equity of the last 24 hours; 0 before rules version 5. */
  readonly highest_micros: number;
  /** What the fund has lost in all markets since the hour began, below 0 for a gain. */
  readonly outflow_micros: number;
}

/** FUT-21, FUT-22: the fund in one market. Before rules version 5 there is neither cap nor limit. */
export interface FundMarketFigures {
  readonly outflow_micros: number;
  readonly cap_micros: number;
  /** The fund's position. */
  readonly lots: number;
  readonly limitLots: number;
  /** Since when the position is not zero; null while it is. */
  readonly since_ms: number | null;
  readonly isCapped: boolean;
  /** Null while not capped, and where only an admin resumes the market. */
  readonly cappedUntil_ms: number | null;
}

export function readFund(state: State): FundFigures {
  const equity_micros = fundEquity(state);
  const { start_micros, highest_micros } = state.fundHours;
  return {
    principal_micros: state.accounts.principal(FUND_ACCOUNT),
    equity_micros,
    highest_micros,
    outflow_micros: state.isFair ? start_micros - equity_micros : 0,
  };
}

export function readFundIn(state: State, market: MarketState): FundMarketFigures {
  const { fund } = market;
  const lots = state.positions.lots(state.positions.find(FUND_ACCOUNT, market.number));
  const isPriced = state.isFair && market.indexTicks !== 0;
  return {
    outflow_micros: state.isFair ? fundOutflow(state, market) : 0,
    cap_micros: state.isFair ? fundCap(state, market) : 0,
    lots,
    limitLots: isPriced ? fundLimitLots(state, market) : 0,
    since_ms: lots === 0 || !state.isFair ? null : fund.since_ms,
    isCapped: fund.isCapped,
    cappedUntil_ms: fund.isCapped && fund.cappedUntil_ms !== UNTIL_RESUMED ? fund.cappedUntil_ms : null,
  };
}
