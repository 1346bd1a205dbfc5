import type { ColumnType, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, JsonColumn, KernelTables } from "../kernel/database/tables.ts";
import type { SeasonStatus } from "./seasons/states.ts";

/*
 * The points program's tables. Points are whole millionths (`_micros`), wallets are lower case, days are UTC dates counted
 * from 1970-01-01 (`day`), epochs are counted from the genesis (PTS-1).
 */

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
type LaterBigint = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;

/** The weights of a season's points. Six rows, levels 0 to 5; level 5 has no upper bound. */
export interface PointsLevelTable {
  level: number;
  /** Inclusive, whole points. */
  points_min: BigintColumn;
  points_max: LaterBigint;
  weight: number;
}

/** Boosts by market symbol, in hundredths: 100 to 200. The default is 100. */
export type MarketBoosts = Readonly<Record<string, number>>;

/** PTS-3: the parameters of scoring. Rows are only added; the newest that the engine has applies to later fills. */
export interface PointsRuleTable {
  version: GeneratedAlways<number>;
  /** Whole points for each USDT of fee. */
  points_per_fee: number;
  /** In hundredths: 150 is a factor of 1.5. */
  maker_e2: number;
  /** The principal that earns one point per day, in whole USDT. */
  usdt_per_earn_point: number;
  /** The share of an invitee's points, in hundredths. */
  referral_e2: number;
  boosts: JsonColumn<MarketBoosts>;
  /** The command from which on it counts. 0: at once; null: the engine does not have it yet. */
  from_command: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
  created_by: string;
  created_at: Date;
}

/** Market makers: they score nothing, and share the market makers' pool by maker volume (PTS-5). */
export interface PointsMakerTable {
  address: string;
  label: string | null;
  created_at: Date;
  /** Whether the newest list has it. */
  is_listed: WithDefault<boolean>;
  /** Whether the log has it on the list. */
  is_in_force: WithDefault<boolean>;
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
  /** The root of the allocations; set by the snapshot. */
  root: Later<Buffer>;
  leaf_count: Later<number>;
  created_at: Date;
  updated_at: Date;
}

export type PointsSource = "trade" | "earn" | "referral";

/**
 * A line of a wallet's points with its source: a fill (market, trade, side) or an earn position (subscription); for `referral`, one
 * of an invitee. A source is scored at most once for a wallet.
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
  /** The invitee of a referral line. */
  invitee: string | null;
  /** The base of the points: the countable fee, the principal, or the invitee's points. */
  base_micros: BigintColumn;
}

/** The kinds of totals. */
export const SCOPES = { day: 0, epoch: 1, season: 2 } as const;
export type Scope = keyof typeof SCOPES;

/** Sums of lines for a day, an epoch or a season, written together with the lines. */
export interface PointsTotalTable {
  scope: number;
  /** The day, the epoch's number, or the season's `season_no`. */
  period: number;
  address: string;
  points_micros: BigintColumn;
  /** PTS-4: of two wallets with equal points, the one that scored last earlier ranks higher. */
  last_ms: BigintColumn;
}

/** The volume of market makers' resting orders, by epoch. */
export interface PointsMakerVolumeTable {
  epoch: number;
  address: string;
  volume_micros: BigintColumn;
}

/** PTS-5: a wallet's tokens of a season; written once, by the snapshot. */
export interface PointsAllocationTable {
  season_no: number;
  address: string;
  points_micros: BigintColumn;
  level: number;
  weight: number;
  user_tokens: BigintColumn;
  maker_volume_micros: BigintColumn;
  maker_tokens: BigintColumn;
  /** The hash of its leaf in the season's tree. */
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
 * The lock of transactions that write lines and totals (the projector, the earn job) or change which totals exist (seasons), held
 * until they end.
 */
export const POINTS_BOOKS = "points-books";
