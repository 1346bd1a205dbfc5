/** A row as it comes out of the database, its bigints as numbers: all of them lie within the safe range. */
export type Plain<Row> = { [Name in keyof Row]: Row[Name] extends bigint ? number : Row[Name] };

export function plain<Row extends object>(row: Row): Plain<Row> {
  const values = Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(values) as Plain<Row>;
}

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

/** A page of a list: `total` with the first one, −1 with the others (WIRE-8). */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly nextCursor: string | null;
}
