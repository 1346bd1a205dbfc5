import { type Static, Type } from "typebox";
import { AmountInput, orNull } from "./account-shapes.ts";
import { cursorParameters, listFields } from "./lists.ts";
import { Address, Hash, IsoTime, MerkleSiblings } from "./shapes.ts";

const Uuid = (description: string) => Type.String({ description, examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"] });
const Points = (description: string, example = "1234.5") =>
  Type.String({ description: `${description}; at most 6 decimals`, examples: [example] });
const Tokens = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const Epoch = (description: string) => Type.Integer({ description, examples: [22] });
const Level = Type.Integer({ description: "0 to 5, by the whole points of the season", examples: [1] });
const Tier = orNull(
  Type.String({ description: "L0 to L5 by the season's points; null without any", examples: ["L1"] }),
);
const RefreshedAt = Type.String({
  description: "When the list was built, cut to the minute; for a past epoch its end",
  examples: ["2026-06-01T12:05:00.000Z"],
});

// Seasons.

export const SeasonStatus = Type.Union(
  [
    Type.Literal("pending"),
    Type.Literal("active"),
    Type.Literal("snapshot"),
    Type.Literal("distributing"),
    Type.Literal("completed"),
  ],
  {
    description:
      "pending: not begun. active: points count for it. snapshot: over, every wallet's tokens are fixed. distributing: " +
      "tokens are handed out. completed: all is claimable, or 90 days have passed",
    examples: ["active"],
  },
);
export type SeasonStatus = Static<typeof SeasonStatus>;

const SeasonFields = {
  season_id: Uuid("The season"),
  season_no: Type.Integer({ description: "Its number", examples: [1] }),
  label: Type.String({ description: "Its name", examples: ["Season 1"] }),
  start_epoch: Epoch("Its first epoch"),
  end_epoch: Epoch("Its last epoch, included"),
  user_pool_tokens: Tokens("Whole tokens for wallets with points", 1_000_000),
  mm_pool_tokens: Tokens("Whole tokens for market makers", 100_000),
  status: SeasonStatus,
  snapshot_at: orNull(IsoTime),
  snapshot_taken_at: orNull(IsoTime),
  distribution_at: orNull(IsoTime),
  root: orNull(Hash("Root over all allocations; null before the snapshot")),
};

/** Interface 2.13. */
export const PointsSeason = Type.Object(SeasonFields);
export type PointsSeason = Static<typeof PointsSeason>;

export const AdminPointsSeason = Type.Object({
  ...SeasonFields,
  leaf_count: orNull(Type.Integer({ description: "Wallets with an allocation", examples: [340] })),
  distribution_started_at: orNull(IsoTime),
  completed_at: orNull(IsoTime),
  created_at: IsoTime,
  updated_at: IsoTime,
});
export type AdminPointsSeason = Static<typeof AdminPointsSeason>;

const MAX_EPOCH = 10_000;
const EpochInput = (description: string) =>
  Type.Integer({ minimum: 1, maximum: MAX_EPOCH, description, examples: [22] });
const SeasonInputs = {
  label: Type.String({ maxLength: 400, description: "Its name, at most 80 characters", examples: ["Season 1"] }),
  start_epoch: EpochInput("Its first epoch"),
  end_epoch: EpochInput("Its last epoch, included; it must not be over"),
  user_pool_tokens: AmountInput("Whole tokens for wallets with points, up to 10^15", "1000000"),
  mm_pool_tokens: AmountInput("Whole tokens for market makers, up to 10^15", "100000"),
  distribution_at: Type.String({
    maxLength: 64,
    description: "When tokens begin to be handed out, ISO 8601; 72 hours after the end of the last epoch by default",
    examples: ["2026-09-03T00:00:00Z"],
  }),
  season_no: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: "Its number; the one after the highest by default",
    examples: [1],
  }),
};

export const SeasonRequest = Type.Object({
  ...SeasonInputs,
  distribution_at: Type.Optional(SeasonInputs.distribution_at),
  season_no: Type.Optional(SeasonInputs.season_no),
});
export type SeasonRequest = Static<typeof SeasonRequest>;

export const SeasonChangeRequest = Type.Partial(Type.Object(SeasonInputs));
export type SeasonChangeRequest = Static<typeof SeasonChangeRequest>;

export const SeasonPath = Type.Object({ id: Uuid("The season") });
export const SeasonAllocationPath = Type.Object({ id: Uuid("The season"), address: Address });

/** PTS-5, PTS-6. */
export const SeasonAllocation = Type.Object({
  season_id: Uuid("The season"),
  season_no: Type.Integer({ description: "Its number", examples: [1] }),
  status: SeasonStatus,
  address: Address,
  points: Points("Scored in the season, with six decimals", "1234.500000"),
  level: Level,
  weight: Type.Integer({ description: "The level's factor of points", examples: [8] }),
  user_tokens: Tokens("From the user pool", 5_292),
  maker_volume: Points("Traded by its resting orders as a market maker, in USDT, with six decimals", "0.000000"),
  mm_tokens: Tokens("Of the market makers' pool", 0),
  tokens: Tokens("Both together", 5_292),
  leaf_text: Type.String({
    description:
      "What is hashed, one a line: bourse-allocation-v1, season_id, address, points, level, weight, user_tokens, " +
      "maker_volume, mm_tokens",
    examples: [
      "bourse-allocation-v1\n3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44\n0x5290…\n1234.500000\n1\n8\n5292\n0.000000\n0",
    ],
  }),
  leaf: Hash("SHA-256 of a zero byte and the text"),
  index: Type.Integer({ description: "Place among the season's leaves, from 0 on", examples: [17] }),
  siblings: MerkleSiblings,
  root: Hash("The season's root"),
});
export type SeasonAllocation = Static<typeof SeasonAllocation>;

// Lists.

/** Interface 4.5. */
export const PointsBoardQuery = Type.Object({
  epoch: Type.Optional(
    Type.Integer({ minimum: 1, description: "The current one by default; of a past one its last day", examples: [22] }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 100, description: "At most 500; more is cut to 500", examples: [100] }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: "Ranks to pass over", examples: [0] })),
});
export type PointsBoardQuery = Static<typeof PointsBoardQuery>;

const EntryFields = {
  rank: Type.Integer({ description: "From 1 on", examples: [1] }),
  user_address: Address,
  tier: Tier,
};
const Total = Type.Integer({ description: "Wallets on the whole list", examples: [340] });

/** Interface 2.13. */
export const DailyBoard = Type.Object({
  date: Type.String({ description: "The UTC day, YYYY-MM-DD", examples: ["2026-06-01"] }),
  epoch_number: Epoch("The epoch of that day"),
  refreshed_at: RefreshedAt,
  total: Total,
  entries: Type.Array(Type.Object({ ...EntryFields, points_today: Points("Scored since 00:00 UTC of the day") }), {
    description: "By rank",
  }),
});
export type DailyBoard = Static<typeof DailyBoard>;

export const EpochBoard = Type.Object({
  epoch_number: Epoch("The epoch"),
  refreshed_at: RefreshedAt,
  total: Total,
  entries: Type.Array(Type.Object({ ...EntryFields, points: Points("Scored in the epoch") }), {
    description: "By rank",
  }),
});
export type EpochBoard = Static<typeof EpochBoard>;

const Rank = (description: string) => orNull(Type.Integer({ description, examples: [17] }));

/** PTS-6. */
export const OwnPoints = Type.Object({
  address: Address,
  epoch_number: Epoch("The current epoch"),
  season_id: orNull(Uuid("The season that the current epoch belongs to")),
  points_today: Points("Scored since 00:00 UTC", "12.5"),
  points_epoch: Points("Scored in the epoch", "80"),
  points_season: Points("Scored in the season; 0 without one"),
  points_total: Points("Scored in all epochs", "2000"),
  rank_today: Rank("Of the last refresh; null for those not on the list"),
  rank_epoch: Rank("Of the last refresh; null for those not on the list"),
  level: Level,
  tier: Tier,
  next_level: orNull(
    Type.Object(
      {
        level: Type.Integer({ description: "The one above", examples: [2] }),
        points_min: Type.Integer({ description: "Its first whole point", examples: [10_000] }),
        points_missing: Points("Points missing to it", "8765.5"),
      },
      { description: "Null at the highest level" },
    ),
  ),
  projected_tokens: orNull(Tokens("The season's pool split by current points; null without a season", 5_292)),
  refreshed_at: RefreshedAt,
});
export type OwnPoints = Static<typeof OwnPoints>;

export const PointsLedgerQuery = Type.Object(cursorParameters);
export type PointsLedgerQuery = Static<typeof PointsLedgerQuery>;

const PointsLine = Type.Object({
  id: Type.Integer({ description: "The line", examples: [4711] }),
  source: Type.Union([Type.Literal("trade"), Type.Literal("earn"), Type.Literal("referral")], {
    description: "trade: own fill. earn: an earn position of a day. referral: a part of an invitee's points",
    examples: ["trade"],
  }),
  points: Points("Points of the line"),
  rule_version: Type.Integer({ description: "Rule version", examples: [1] }),
  time: IsoTime,
  symbol: Type.Optional(Type.String({ description: "Of the fill", examples: ["BTCUSDT"] })),
  trade_id: Type.Optional(Type.Integer({ description: "Of the fill, in its market", examples: [815] })),
  side: Type.Optional(
    Type.Union([Type.Literal("BUY"), Type.Literal("SELL")], { description: "Of the fill", examples: ["BUY"] }),
  ),
  subscription_id: Type.Optional(Uuid("The earn position")),
  invitee: Type.Optional(Address),
  base: Type.String({
    description: "What it was computed from: fee or principal in USDT, or the invitee's points",
    examples: ["0.50"],
  }),
});

export const PointsLedger = Type.Object(listFields(PointsLine, "By time"));
export type PointsLedger = Static<typeof PointsLedger>;
