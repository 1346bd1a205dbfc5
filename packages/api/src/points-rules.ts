import { type Static, Type } from "typebox";
import { AmountInput, orNull } from "./account-shapes.ts";
import { Address, IsoTime } from "./shapes.ts";

/** How points are computed and weighted (interface 2.13, PTS-3, PTS-6). */

const MAX_POINTS = 1_000_000_000_000_000;

const Reason = Type.Optional(
  Type.String({ maxLength: 500, description: "For the audit log", examples: ["boost for the launch week"] }),
);

/** Interface 2.13. */
export const EarnLevel = Type.Object({
  level: Type.Integer({ minimum: 0, maximum: 5, description: "0 to 5", examples: [1] }),
  points_min: Type.Integer({
    minimum: 0,
    maximum: MAX_POINTS,
    description: "First whole point of the level; one more than points_max of the level below",
    examples: [1_000],
  }),
  points_max: Type.Union([Type.Integer({ minimum: 0, maximum: MAX_POINTS }), Type.Null()], {
    description: "Last whole point of the level; null for level 5",
    examples: [9_999],
  }),
  weight: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: "Factor of the season's points when tokens are allocated",
    examples: [8],
  }),
});
export type EarnLevel = Static<typeof EarnLevel>;

export const EarnLevelConfig = Type.Array(EarnLevel, { description: "By level" });
export type EarnLevelConfig = Static<typeof EarnLevelConfig>;

export const PointsLevels = Type.Object({ levels: Type.Array(EarnLevel, { description: "By level" }) });
export type PointsLevels = Static<typeof PointsLevels>;

export const PointsLevelsRequest = Type.Object({
  levels: Type.Array(EarnLevel, {
    minItems: 6,
    maxItems: 6,
    description: "The levels 0 to 5, each once, without gaps; they replace the existing ones",
    examples: [
      [
        { level: 0, points_min: 0, points_max: 999, weight: 4 },
        { level: 1, points_min: 1_000, points_max: 9_999, weight: 8 },
        { level: 2, points_min: 10_000, points_max: 49_999, weight: 12 },
        { level: 3, points_min: 50_000, points_max: 199_999, weight: 25 },
        { level: 4, points_min: 200_000, points_max: 499_999, weight: 60 },
        { level: 5, points_min: 500_000, points_max: null, weight: 120 },
      ],
    ],
  }),
  reason: Reason,
});
export type PointsLevelsRequest = Static<typeof PointsLevelsRequest>;

const PointsPerFee = Type.Integer({
  minimum: 0,
  maximum: 1_000,
  description: "Points for each USDT of fee",
  examples: [10],
});
const UsdtPerEarnPoint = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: "USDT of earn principal per point and day",
  examples: [100],
});

const rule = {
  version: Type.Integer({ description: "Cited by every line scored with it", examples: [2] }),
  points_per_fee: PointsPerFee,
  maker_multiplier: Type.String({ description: "Factor of a maker's points", examples: ["1.5"] }),
  usdt_per_earn_point: UsdtPerEarnPoint,
  referral_share: Type.String({ description: "The inviter's share of an invitee's points", examples: ["0.1"] }),
  boosts: Type.Record(Type.String(), Type.String(), {
    description: "Factor of points by market; 1 for markets that are not named",
    examples: [{ BTCUSDT: "1.5" }],
  }),
  created_by: Type.String({
    description: "The admin who made it, or `system`",
    examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"],
  }),
  created_at: IsoTime,
};

/** PTS-3. */
export const PointsRule = Type.Object(rule);
export type PointsRule = Static<typeof PointsRule>;

export const PointsRules = Type.Object({
  ...rule,
  history: Type.Array(PointsRule, { description: "Up to 100 earlier versions, newest first" }),
});
export type PointsRules = Static<typeof PointsRules>;

export const PointsRulesRequest = Type.Object({
  boosts: Type.Record(Type.String(), AmountInput("1 to 2, at most 2 decimals", "1.5"), {
    description: "By market; all boosts: markets that are not named have none",
    examples: [{ BTCUSDT: "1.5" }],
  }),
  points_per_fee: Type.Optional(PointsPerFee),
  maker_multiplier: Type.Optional(AmountInput("0 to 10, at most 2 decimals", "1.5")),
  usdt_per_earn_point: Type.Optional(UsdtPerEarnPoint),
  referral_share: Type.Optional(AmountInput("0 to 1, at most 2 decimals", "0.1")),
  reason: Reason,
});
export type PointsRulesRequest = Static<typeof PointsRulesRequest>;

const Label = orNull(Type.String({ description: "1 to 64 characters", examples: ["Desk one"] }));

export const PointsMakers = Type.Object({
  wallets: Type.Array(
    Type.Object({
      address: Address,
      label: Label,
      created_at: Type.String({
        description: "Since when it is listed: ISO 8601 time in UTC",
        examples: ["2026-06-01T00:00:00.000Z"],
      }),
    }),
    { description: "By address" },
  ),
});
export type PointsMakers = Static<typeof PointsMakers>;

export const PointsMakersRequest = Type.Object({
  wallets: Type.Array(Type.Object({ address: Address, label: Type.Optional(Label) }), {
    maxItems: 500,
    description: "All market makers; they replace the existing list",
    examples: [[{ address: "0x52908400098527886e0f7030069857d2e4169ee7", label: "Desk one" }]],
  }),
  reason: Reason,
});
export type PointsMakersRequest = Static<typeof PointsMakersRequest>;
