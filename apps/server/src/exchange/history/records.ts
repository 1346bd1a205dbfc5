import type { TimedPageRequest } from "../../kernel/pages.ts";

/** One side of a trade. */
export interface FillRecord {
  readonly trade: number;
  readonly market: number;
  readonly side: number;
  /** 0 if it belongs to no order. */
  readonly order: number;
  readonly isMaker: boolean;
  readonly cause: string;
  readonly ticks: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly fee_micros: number;
  readonly feeFromBonus_micros: number;
  readonly realised_micros: number;
  readonly lossFromBonus_micros: number;
  readonly isSelfTrade: boolean;
  /** Null by rules before version 5. */
  readonly markTicks: number | null;
  readonly isOffMarket: boolean;
  readonly time_ms: number;
}

export interface PublicTrade {
  readonly trade: number;
  readonly ticks: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly isBuyerMaker: boolean;
  readonly time_ms: number;
}

export interface IncomeRecord {
  readonly id: number;
  readonly type: string;
  /** −1 for none. */
  readonly market: number;
  readonly amount_micros: number;
  /** 0 for none. */
  readonly trade: number;
  readonly info: string;
  readonly time_ms: number;
}

export interface Kline {
  readonly open_ms: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly closeTicks: number;
  readonly lots: number;
  /** The value of a busy day exceeds the safe integers. */
  readonly quote_micros: bigint;
  readonly trades: number;
  readonly takerBuyLots: number;
  readonly takerBuyQuote_micros: bigint;
}

/** A page of a list of the history. */
export interface PageQuery extends TimedPageRequest {
  readonly market?: number | undefined;
}
