/*
 * The participants of the demo's history. All are invented; their wallets are derived from their labels and the installation's
 * secret.
 */

export interface DemoBd {
  readonly username: string;
  readonly display_name: string;
}

export interface DemoCustomers {
  readonly count: number;
  /** The customers' ratio of the code. */
  readonly ratio: string;
  /** The value of one of their trades, in USDT. */
  readonly trade_usdt: number;
  /** They join one by one, from the first of these days to the last. */
  readonly joinFrom: number;
  readonly joinTo: number;
}

export interface DemoSubKol {
  readonly nickname: string;
  readonly rate: string;
  readonly share: string;
  readonly joins: number;
  readonly customers: DemoCustomers;
}

export interface DemoKol {
  readonly nickname: string;
  readonly level: number;
  /** The KOL's BD; undefined for the company's own. */
  readonly bd?: string;
  readonly joins: number;
  readonly customers: DemoCustomers;
  readonly subKols: readonly DemoSubKol[];
  /** The day on which an admin freezes it. */
  readonly frozenOn?: number;
}

export const BDS: readonly DemoBd[] = [
  { username: "mira", display_name: "Mira Lindqvist" },
  { username: "tomas", display_name: "Tomas Berg" },
];

/** KOLs of every level, from very large to just started. */
export const KOLS: readonly DemoKol[] = [
  {
    nickname: "Northwind Alpha",
    level: 5,
    bd: "mira",
    joins: 0,
    customers: { count: 5, ratio: "0.15", trade_usdt: 1_800_000, joinFrom: 0, joinTo: 20 },
    subKols: [
      {
        nickname: "Tape Reader",
        rate: "0.3",
        share: "0.2",
        joins: 3,
        customers: { count: 2, ratio: "0.1", trade_usdt: 300_000, joinFrom: 4, joinTo: 18 },
      },
      {
        nickname: "Wick Watch",
        rate: "0.25",
        share: "0.1",
        joins: 12,
        customers: { count: 2, ratio: "0.05", trade_usdt: 90_000, joinFrom: 13, joinTo: 28 },
      },
    ],
  },
  {
    nickname: "Candle & Co",
    level: 4,
    bd: "mira",
    joins: 0,
    customers: { count: 4, ratio: "0.1", trade_usdt: 500_000, joinFrom: 1, joinTo: 24 },
    subKols: [
      {
        nickname: "Basis Beth",
        rate: "0.2",
        share: "0.25",
        joins: 8,
        customers: { count: 2, ratio: "0.08", trade_usdt: 60_000, joinFrom: 9, joinTo: 22 },
      },
    ],
  },
  {
    nickname: "Funding Fred",
    level: 3,
    bd: "tomas",
    joins: 1,
    customers: { count: 4, ratio: "0.1", trade_usdt: 120_000, joinFrom: 2, joinTo: 30 },
    subKols: [],
  },
  {
    nickname: "Perp Diaries",
    level: 2,
    bd: "tomas",
    joins: 2,
    customers: { count: 3, ratio: "0.05", trade_usdt: 40_000, joinFrom: 3, joinTo: 26 },
    subKols: [],
  },
  {
    nickname: "Quiet Quant",
    level: 1,
    joins: 5,
    customers: { count: 3, ratio: "0.1", trade_usdt: 15_000, joinFrom: 6, joinTo: 34 },
    subKols: [],
  },
  {
    nickname: "Margin Marla",
    level: 2,
    bd: "tomas",
    joins: 4,
    customers: { count: 2, ratio: "0.1", trade_usdt: 30_000, joinFrom: 5, joinTo: 12 },
    subKols: [],
    frozenOn: 30,
  },
  {
    nickname: "First Steps",
    level: 1,
    bd: "tomas",
    joins: 33,
    customers: { count: 1, ratio: "0.1", trade_usdt: 8_000, joinFrom: 35, joinTo: 35 },
    subKols: [],
  },
];
