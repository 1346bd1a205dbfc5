import { type Static, Type } from "typebox";
import { orNull } from "./account-shapes.ts";
import { InviteCodeType, Tier } from "./broker-partners.ts";
import { Address, IsoTime } from "./shapes.ts";

/** What partners and wallets read about the broker program (interface 2.5 – 2.7, 2.10, 4.2; BRK-11, BRK-17). */

const Uuid = (description: string) => Type.String({ description, examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"] });
const Usdt = (description: string, example = "30.00") =>
  Type.String({ description: `${description}, in USDT`, examples: [example] });
const Ratio = (description: string, example = "0.1") => Type.String({ description, examples: [example] });
const Count = (description: string, example = 12) => Type.Integer({ description, examples: [example] });
const Day = (description: string) => Type.String({ description, examples: ["2026-06-01"] });
const DayInput = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description: `${description}, YYYY-MM-DD`, examples: ["2026-06-01"] }));
const Nickname = orNull(Type.String({ examples: ["Ada"] }));
const Level = orNull(Type.Integer({ description: "Null for sub-KOLs", examples: [3] }));
const PaymentStatus = (description: string) =>
  Type.Union([Type.Literal("pending"), Type.Literal("paid")], { description, examples: ["pending"] });

/** T11: beside the placeholder `total_volume`. */
const TradedVolume = Usdt("Volume of the downlines and the broker, in settled days", "2500000.00");

/** Interface 2.6. */
export const BrokerOverview = Type.Object({
  broker_id: Uuid("The broker's UUID"),
  wallet_address: Address,
  nickname: Nickname,
  level: Level,
  rebate_rate: Ratio("The broker's own rate", "0.4"),
  parent_broker: orNull(Type.String({ description: "The parent's wallet; sub-KOLs only" })),
  total_invited: Count("Bound downlines"),
  total_volume: Type.Literal("0", { description: "A placeholder" }),
  total_fee: Usdt("Fees of all records", "1250.50"),
  total_rebate: Usdt("The broker's own part of all records (kol_net_rebate)", "250.10"),
  current_level_label: Type.String({ description: "The tier's label; Sub-KOL for sub-KOLs", examples: ["Gold"] }),
  next_level_label: orNull(Type.String({ description: "Null at the highest tier", examples: ["Platinum"] })),
  traded_volume: TradedVolume,
  total_nominal_rebate: Usdt("Nominal rebate of all records", "500.20"),
  total_customer_rebate: Usdt("Of it, the downlines' part", "200.08"),
  total_share: Usdt("Of it, the parent's part", "50.02"),
  share_income: Usdt("The broker's shares as a parent of sub-KOLs; part of no other figure", "12.00"),
  fee_30d: Usdt("Fees of the records of today and the 29 days before", "1250.50"),
  next_level_min_fee: orNull(Usdt("The 30-day fees that the next level requires", "50000.00")),
  tiers: Type.Array(Tier, { description: "The tiers by level; empty if none are configured and for sub-KOLs" }),
});
export type BrokerOverview = Static<typeof BrokerOverview>;

/** Interface 2.5. */
export const Downline = Type.Object({
  wallet_address: Address,
  bind_time: IsoTime,
  code_type: InviteCodeType,
  rebate_rate: Ratio("The customer's ratio, or the rate of the sub-KOL or KOL"),
  share_ratio: Ratio("Of the invite code used", "0.2"),
  customer_rebate_ratio: orNull(Ratio("Of the invite code used; null if it made a broker")),
  status: Type.Literal("active"),
  total_fee: Usdt("Fees of the downline", "100.00"),
  total_customer_rebate: Usdt("Returned to the downline", "10.00"),
  total_nominal_rebate: Usdt("Nominal rebate: fee × the KOL's rate", "40.00"),
  total_kol_net_rebate: Usdt("The KOL's net part"),
});
export type Downline = Static<typeof Downline>;
export const DownlineList = Type.Array(Downline, { description: "The newest bind first" });
export type DownlineList = Static<typeof DownlineList>;
export const DownlineQuery = Type.Object({
  type: Type.Optional(
    Type.Union([Type.Literal("direct"), Type.Literal("sub_kol")], { description: "All of them without it" }),
  ),
});
export type DownlineQuery = Static<typeof DownlineQuery>;

/** Interface 2.7. */
export const RebateRecord = Type.Object({
  id: Uuid("The record's UUID"),
  downline_wallet: Address,
  period: Day("The settled UTC day"),
  fee_amount: Usdt("The downline's fees", "100.00"),
  customer_rebate: Usdt("Of it, returned to the downline", "10.00"),
  nominal_rebate: Usdt("Nominal rebate: fee × the KOL's rate", "40.00"),
  share_amount: Usdt("Of it, shared with the parent KOL", "0.00"),
  kol_net_rebate: Usdt("The KOL's net part"),
  payment_status: PaymentStatus("paid once all parts are"),
  customer_payment_status: orNull(PaymentStatus("Of the customer's part; null if that is 0")),
  payment_tx_hash: orNull(Type.String({ description: "Of the payment", examples: [`0x${"5a".repeat(32)}`] })),
  revision: Count("0; adjustments of a record count up from 1, and their amounts are differences", 0),
  kol_rebate_rate: Ratio("The KOL's rate at the last fill", "0.4"),
  share_ratio: Ratio("At the last fill", "0"),
  customer_rebate_ratio: Ratio("At the last fill, after the cap"),
  provisional: Type.Boolean({ description: "True while the day is not closed: figures may change" }),
});
export type RebateRecord = Static<typeof RebateRecord>;
export const RebateRecordList = Type.Array(RebateRecord, { description: "At most 100, the newest first" });
export type RebateRecordList = Static<typeof RebateRecordList>;
export const PeriodQuery = Type.Object({ period: DayInput("One day only; all days without it") });
export type PeriodQuery = Static<typeof PeriodQuery>;

/** REF-4: the rewards of the affiliate. */
export const AffiliateRecord = Type.Object({
  id: Uuid("The record's UUID"),
  downline_wallet: Address,
  period: Day("The settled UTC day"),
  fee_amount: Usdt("The trader's fees", "100.00"),
  reward_rate: Ratio("The affiliate's part at the last fill", "0.15"),
  reward: Usdt("The affiliate's reward", "15.00"),
  payment_status: PaymentStatus("Of the reward"),
  payment_tx_hash: orNull(Type.String({ description: "Of the payment", examples: [`0x${"5a".repeat(32)}`] })),
  revision: Count("0; adjustments of a record count up from 1, and their amounts are differences", 0),
  provisional: Type.Boolean({ description: "True while the day is not closed: figures may change" }),
});
export type AffiliateRecord = Static<typeof AffiliateRecord>;
export const AffiliateRecordList = Type.Array(AffiliateRecord, { description: "At most 100, the newest first" });
export type AffiliateRecordList = Static<typeof AffiliateRecordList>;

/** BRK-11: a parent's share of a record of its sub-KOL. */
export const ShareIncome = Type.Object({
  record_id: Uuid("The sub-KOL's record"),
  period: Day("The settled UTC day"),
  sub_kol_wallet: Address,
  downline_wallet: Address,
  share_ratio: Ratio("At the last fill", "0.2"),
  share_amount: Usdt("The parent's share; negative for a correcting adjustment", "2.00"),
  payment_status: PaymentStatus("Of the share"),
  revision: Count("0; adjustments of a record count up from 1", 0),
  provisional: Type.Boolean({ description: "True while the day is not closed: figures may change" }),
});
export type ShareIncome = Static<typeof ShareIncome>;
export const ShareIncomeList = Type.Array(ShareIncome, { description: "At most 100, the newest first" });
export type ShareIncomeList = Static<typeof ShareIncomeList>;

/** Interface 2.10. */
export const BrokerLeaderboard = Type.Object({
  total: Count("Brokers with records", 120),
  leaderboard: Type.Array(
    Type.Object({
      rank: Count("From 1 on; by kol_net_rebate, then by fees", 1),
      broker_id: Uuid("The broker's UUID"),
      wallet_address: Address,
      nickname: Nickname,
      level: Level,
      rebate_rate: Ratio("The broker's own rate", "0.4"),
      total_fee: Usdt("Fees of all records", "1250.50"),
      total_nominal_rebate: Usdt("Nominal rebate of all records", "500.20"),
      total_kol_net_rebate: Usdt("The broker's own part", "250.10"),
      downline_count: Count("Bound downlines"),
      traded_volume: TradedVolume,
    }),
  ),
});
export type BrokerLeaderboard = Static<typeof BrokerLeaderboard>;
export const BrokerLeaderboardQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, default: 20, description: "At most 100; more is cut to 100" })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: "How many to skip" })),
});
export type BrokerLeaderboardQuery = Static<typeof BrokerLeaderboardQuery>;

const daySums = {
  total_fee: Usdt("Fees of the day's records", "100.00"),
  total_nominal_rebate: Usdt("Their nominal rebate", "40.00"),
  total_kol_net_rebate: Usdt("The broker's own part"),
  share_income: Usdt("The broker's shares as a parent of sub-KOLs", "2.00"),
  traded_volume: TradedVolume,
};

export const RebateTrend = Type.Array(Type.Object({ date: Day("A UTC day"), ...daySums }), {
  description: "30 days up to today, the oldest first",
});
export type RebateTrend = Static<typeof RebateTrend>;

export const DayRangeQuery = Type.Object({
  from: DayInput("The first day; by default 29 days before the last one"),
  to: DayInput("The last day, at most 366 days in total; by default today"),
});
export type DayRangeQuery = Static<typeof DayRangeQuery>;

const performanceFigures = {
  sign_ups: Count("Downlines that were bound"),
  first_traders: Count("Downlines whose first countable fee was paid then"),
  active_traders: Count("Downlines with a record; each once"),
  fee: Usdt("Fees of the records", "100.00"),
  rebate: Usdt("The broker's own part (kol_net_rebate)"),
  traded_volume: TradedVolume,
  share_income: Usdt("The broker's shares as a parent of sub-KOLs", "2.00"),
};
/** BRK-17. */
export const BrokerPerformance = Type.Object({
  from: Day("The first day"),
  to: Day("The last day"),
  totals: Type.Object(performanceFigures),
  days: Type.Array(Type.Object({ date: Day("A UTC day"), ...performanceFigures }), {
    description: "Every day of the range, the oldest first",
  }),
});
export type BrokerPerformance = Static<typeof BrokerPerformance>;

const WhatIfFigures = Type.Object({
  fee: Usdt("Fees that count", "100.00"),
  nominal: Usdt("fee × the rate at the time", "40.00"),
  customer_rebate: Usdt("Returned to the customers", "10.00"),
  share: Usdt("Shared with the parent", "0.00"),
  kol_net: Usdt("The broker's net part"),
});
/** BRK-17. */
export const WhatIfQuery = Type.Object({
  customer_rebate_ratio: Type.Optional(
    Type.String({ maxLength: 80, description: "0 to the own rate, with at most 6 decimals", examples: ["0.15"] }),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 365, default: 30, description: "Days before today; today is added" }),
  ),
});
export type WhatIfQuery = Static<typeof WhatIfQuery>;
export const WhatIf = Type.Object({
  from: Day("The first day"),
  to: Day("Today"),
  customer_rebate_ratio: Ratio("The ratio to evaluate", "0.15"),
  customers: Count("Own customers whose fees count"),
  actual: WhatIfFigures,
  hypothetical: WhatIfFigures,
  days: Type.Array(Type.Object({ date: Day("A UTC day"), actual: WhatIfFigures, hypothetical: WhatIfFigures }), {
    description: "Every day of the range, the oldest first",
  }),
});
export type WhatIf = Static<typeof WhatIf>;
