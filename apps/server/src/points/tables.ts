import type { ColumnType, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, JsonColumn, KernelTables } from "../kernel/database/tables.ts";
import type { SeasonStatus } from "./seasons/states.ts";

/*
 * The points program's tables. Points are whole millionths (`_micros`), wallets are lower case, days are UTC dates counted
 * from 1970-01-01 (`day`), epochs are counted from the genesis (PTS-1).
 */

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
type LaterBigint = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;

/** What the points of a season are weighed with. Six rows, levels 0 to 5; level 5 has no upper bound. */
export interface PointsLevelTable {
  level: number;
  /** Inclusive, whole points. */
  points_min: BigintColumn;
  points_max: LaterBigint;
  weight: number;
}

/** Boosts by market symbol, in hundredths: 100 to 200. Markets that are not named have 100. */
export type MarketBoosts = Readonly<Record<string, number>>;

/** PTS-3: how points are reckoned. Rows are only added: the newest holds for what is scored from then on. */
export interface PointsRuleTable {
  version: GeneratedAlways<number>;
  /** Whole points for each USDT of fee. */
  points_per_fee: number;
  /** In hundredths: 150 is one and a half. */
  maker_e2: number;
  /** How much principal earns a point a day, in whole USDT. */
  usdt_per_earn_point: number;
  /** Of an invitee's points, in hundredths. */
  referral_e2: number;
  boosts: JsonColumn<MarketBoosts>;
  created_by: string;
  created_at: Date;
}

/** Wallets that make markets: they score nothing, and share the market makers' pool by maker volume (PTS-5). */
export interface PointsMakerTable {
  address: string;
  label: string | null;
  created_at: Date;
}

export interface PointsSeasonTable {
  id: string;
  season_no: number;
  label: string;
  /** Inclusive. */
  start_epoch: number;
  end_epoch: number;
  user_pool_tokens: BigintColumn;
  mm_pool_tokens: BigintColumn;
  status: SeasonStatus;
  snapshot_at: Date;
  distribution_at: Date;
  snapshot_taken_at: Later<Date>;
  distribution_started_at: Later<Date>;
  completed_at: Later<Date>;
  /** Of the allocations; from the snapshot on. */
  root: Later<Buffer>;
  leaf_count: Later<number>;
  created_at: Date;
  updated_at: Date;
}

export type PointsSource = "trade" | "earn" | "referral";

/**
 * A line of a wallet's points, with what it comes from: a fill (market, trade, side), for `referral` of an invitee's; or an
 * earn position (subscription), for `referral` again of an invitee's. No source is scored twice for a wallet.
 */
export interface PointsLineTable {
  id: GeneratedAlways<bigint>;
  address: string;
  source: PointsSource;
  points_micros: BigintColumn;
  rule_version: number;
  time_ms: BigintColumn;
  day: number;
  market: number | null;
  trade: ColumnType<bigint | null, bigint | number | null, never>;
  side: number | null;
  subscription_id: string | null;
  /** Whose points a referral line is a part of. */
  invitee: string | null;
  /** What the points were reckoned from: the fee that counts, or the principal, or the invitee's points. */
  base_micros: BigintColumn;
}

/** What a total is of. */
export const SCOPES = { day: 0, epoch: 1, season: 2 } as const;
export type Scope = keyof typeof SCOPES;

/** Lines summed up, for a day, an epoch or a season; kept in step by whoever writes lines. */
export interface PointsTotalTable {
  scope: number;
  /** The day, the epoch's number, or the season's `season_no`. */
  period: number;
  address: string;
  points_micros: BigintColumn;
  /** PTS-4: of two with the same points, whoever scored last earlier stands higher. */
  last_ms: BigintColumn;
}

/** What market makers' resting orders traded, by epoch. */
export interface PointsMakerVolumeTable {
  epoch: number;
  address: string;
  volume_micros: BigintColumn;
}

/** PTS-5: what a wallet gets of a season; written once, with the snapshot. */
export interface PointsAllocationTable {
  season_no: number;
  address: string;
  points_micros: BigintColumn;
  level: number;
  weight: number;
  user_tokens: BigintColumn;
  maker_volume_micros: BigintColumn;
  maker_tokens: BigintColumn;
  /** Of its leaf in the season's tree. */
  leaf: Buffer;
}

export type PointsTables = {
  points_level: PointsLevelTable;
  points_rule: PointsRuleTable;
  points_maker: PointsMakerTable;
  points_season: PointsSeasonTable;
  points_line: PointsLineTable;
  points_total: PointsTotalTable;
  points_maker_volume: PointsMakerVolumeTable;
  points_allocation: PointsAllocationTable;
};

export type PointsDb = Kysely<KernelTables & PointsTables>;
export type PointsTx = Transaction<KernelTables & PointsTables>;

export const pointsDb = ({ db }: Pick<Database, "db">): PointsDb => db.$extendTables<PointsTables>();
export const pointsTx = (tx: Tx): PointsTx => tx.$extendTables<PointsTables>() as PointsTx;

/**
 * Held by whoever writes lines and totals (the projector, the earn job) and by whoever changes what totals are of (seasons),
 * until their transaction ends.
 */
export const POINTS_BOOKS = "points-books";
