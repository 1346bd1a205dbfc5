import { type Static, Type } from "typebox";
import { Amount, orNull } from "./account-shapes.ts";
import { CursorParameter, LimitParameter, listFields } from "./lists.ts";
import { Address, Hash, IsoTime, MerkleSiblings } from "./shapes.ts";

const Uuid = (description: string) => Type.String({ description, examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"] });
const Day = (description: string) => Type.String({ description, examples: ["2026-06-01"] });
const Ratio = (description: string, example = "0.4") => Type.String({ description, examples: [example] });
const SettlementStatus = Type.Union([Type.Literal("provisional"), Type.Literal("closed")], {
  description: "`provisional` while the day still runs, `closed` once it was settled after its end",
  examples: ["closed"],
});

/** Interface 4.1. The rule's own code refuses an invalid date, so the schema accepts any text. */
export const CalculateRebatesRequest = Type.Object({
  period: Type.Optional(
    Type.Unknown({ description: "The UTC day to settle, as YYYY-MM-DD", examples: ["2026-06-01"] }),
  ),
  mode: Type.Optional(Type.Unknown({ description: "Reserved; it is ignored", examples: ["full"] })),
});
export type CalculateRebatesRequest = Static<typeof CalculateRebatesRequest>;

export const CalculatedRebates = Type.Object({
  period: Day("The day that was settled"),
  total_brokers: Type.Integer({ description: "KOLs with at least one record", examples: [12] }),
  total_records: Type.Integer({ description: "Records of brokers, including adjustments", examples: [340] }),
  total_fee: Amount("Fees that counted, of the brokers' records", "100.00"),
  total_nominal: Amount("Gross rebates", "40.00"),
  total_customer_rebate: Amount("Returned to downlines", "10.00"),
  total_share: Amount("Shared with parents", "0.00"),
  total_kol_net: Amount("Net rebates of the KOLs", "30.00"),
  total_affiliate_reward: Amount("Rewards of affiliates, not included in the sums above", "0.00"),
  provisional: Type.Boolean({ description: "Whether the day still runs", examples: [false] }),
  revision: Type.Integer({ description: "Goes up whenever the day's root changes", examples: [1] }),
  root: Hash("The root over the day's records"),
});
export type CalculatedRebates = Static<typeof CalculatedRebates>;

export const SettlementPath = Type.Object({ period: Day("A settled UTC day") });

const RootFields = {
  revision: Type.Integer({ description: "1 for the first root of the day", examples: [1] }),
  root: Hash("The Merkle root"),
  leaf_count: Type.Integer({ description: "Records under it", examples: [340] }),
};

export const SettlementRoot = Type.Object({
  period: Day("The day"),
  status: SettlementStatus,
  ...RootFields,
  calculated_at: IsoTime,
  history: Type.Array(Type.Object({ ...RootFields, created_at: IsoTime }), {
    description: "Every root the day has had, oldest first",
  }),
});
export type SettlementRoot = Static<typeof SettlementRoot>;

export const RebateRecordPath = Type.Object({ id: Uuid("The record") });

/** The fields of a leaf, in the order of its text lines. */
export const RebateLeaf = Type.Object({
  version: Type.String({ description: "The first line of the leaf", examples: ["bourse-rebate-v1"] }),
  kind: Type.Union([Type.Literal("broker"), Type.Literal("affiliate")], { examples: ["broker"] }),
  period: Day("The settled day"),
  owner: Type.String({
    description: "The broker's id; for an affiliate's record its wallet",
    examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"],
  }),
  downline_wallet: Address,
  revision: Type.Integer({ description: "0, or the number of an adjustment", examples: [0] }),
  fee: Amount("Six decimals, as in the leaf", "100.000000"),
  nominal: Amount("Gross rebate", "40.000000"),
  customer: Amount("Part of the downline", "10.000000"),
  share: Amount("Part of the parent", "0.000000"),
  net: Amount("Part of the owner", "30.000000"),
  rate: Ratio("At the last fill", "0.400000"),
  customer_ratio: Ratio("At the last fill", "0.100000"),
  share_ratio: Ratio("At the last fill", "0.000000"),
});
export type RebateLeaf = Static<typeof RebateLeaf>;

export const RebateProof = Type.Object({
  record_id: Uuid("The record"),
  period: Day("The settled day"),
  status: SettlementStatus,
  record: RebateLeaf,
  leaf_text: Type.String({
    description: "The hashed text: the record's fields, one per line",
    examples: ["bourse-rebate-v1\nbroker\n2026-06-01\n…"],
  }),
  leaf: Hash("SHA-256 of a zero byte and the text"),
  index: Type.Integer({ description: "Index among the day's leaves, from 0", examples: [17] }),
  siblings: MerkleSiblings,
  root: Hash("The day's root"),
  revision: Type.Integer({ description: "Of the root", examples: [1] }),
});
export type RebateProof = Static<typeof RebateProof>;

export const RebateScenario = Type.Union(
  [
    Type.Literal("customer"),
    Type.Literal("customer_of_sub_kol"),
    Type.Literal("kol_itself"),
    Type.Literal("sub_kol_itself"),
    Type.Literal("affiliate"),
  ],
  { description: "Which line of the formula applies", examples: ["customer"] },
);
export type RebateScenario = Static<typeof RebateScenario>;

const PartFields = {
  fee: Amount("Fees that count", "100.00"),
  nominal: Amount("Gross rebate", "40.00"),
  customer: Amount("Part of the downline", "10.00"),
  share: Amount("Part of the parent", "0.00"),
  net: Amount("Part of the owner", "30.00"),
};

/** Fees under one set of rates and ratios, and the resulting amounts. */
export const ExplainedGroup = Type.Object({
  terms_versions: Type.Array(Type.Integer(), { description: "The terms that name these rates", examples: [[7]] }),
  scenario: RebateScenario,
  chain: Type.Array(
    Type.Object({
      wallet: Address,
      role: Type.String({ description: "kol, sub_kol, parent or affiliate", examples: ["kol"] }),
      rate: Ratio("Its rate at the time"),
    }),
    { description: "Brokers whose rates limit it, the owner of the terms first" },
  ),
  rate: Ratio("Fee × this rate is the nominal rebate"),
  cap: Ratio("The lowest rate on the chain"),
  customer_ratio: Ratio("Applied to the downline's part, after the cap", "0.1"),
  customer_ratio_of_code: orNull(Ratio("On the downline's invite code", "0.1")),
  share_ratio: Ratio("Applied to the rest after the downline's part", "0"),
  share_ratio_from: Type.String({
    description: "`downline_code`, `sub_kol_code`, or `none` without a parent",
    examples: ["none"],
  }),
  ...PartFields,
  formula: Type.String({
    description: "The same with its numbers",
    examples: ["nominal = floor6(100.00 × 0.4) = 40.00; customer = floor6(100.00 × 0.1) = 10.00; …"],
  }),
});
export type ExplainedGroup = Static<typeof ExplainedGroup>;

const FillFields = {
  symbol: Type.String({ description: "The market", examples: ["BTCUSDT"] }),
  trade_id: Type.Integer({ description: "The trade in its market", examples: [4711] }),
  side: Type.Union([Type.Literal("BUY"), Type.Literal("SELL")], { examples: ["BUY"] }),
  time: IsoTime,
  fee: Amount("Paid in the fill", "0.50"),
  counted: Amount("The part that counts", "0.50"),
  reason: orNull(Type.String({ description: "Why not all of it counts", examples: ["self_trade"] })),
  reason_text: orNull(Type.String({ description: "The same as a sentence" })),
  terms_version: Type.Integer({ description: "The terms at the time of the fill", examples: [7] }),
};

export const ExplainedRecord = Type.Object({
  record: Type.Object({
    id: Uuid("The record"),
    kind: Type.Union([Type.Literal("broker"), Type.Literal("affiliate")], { examples: ["broker"] }),
    period: Day("The settled day"),
    broker_id: orNull(Uuid("The broker; null on a record of an affiliate")),
    downline_wallet: Address,
    revision: Type.Integer({ description: "0, or the number of an adjustment", examples: [0] }),
    ...PartFields,
    rate: Ratio("At the last fill"),
    customer_ratio: Ratio("At the last fill", "0.1"),
    share_ratio: Ratio("At the last fill", "0"),
    payment_status: Type.Union([Type.Literal("pending"), Type.Literal("paid")], { examples: ["pending"] }),
    status: SettlementStatus,
  }),
  formula: Type.String({ description: "How the record's figures are computed, in words and numbers" }),
  groups: Type.Array(ExplainedGroup, { description: "One for each set of rates and ratios of the day" }),
  other_revisions: Type.Array(
    Type.Object({
      id: Uuid("The record"),
      revision: Type.Integer({ description: "0, or the number of an adjustment", examples: [0] }),
      ...PartFields,
    }),
    {
      description:
        "The other records of the same day, owner and downline: all together, with `unsettled`, are the groups' sums",
    },
  ),
  unsettled: Type.Object(PartFields, {
    description: "Added since the last settlement of a running day: groups less records",
  }),
  fills: Type.Array(Type.Object(FillFields), { description: "The newest 500 fills of the day, newest first" }),
  fills_total: Type.Integer({ description: "Their number", examples: [12] }),
  lines: Type.Array(
    Type.Object({
      kind: Type.Union(
        [Type.Literal("customer"), Type.Literal("kol"), Type.Literal("share"), Type.Literal("affiliate")],
        { examples: ["customer"] },
      ),
      payee: Address,
      amount: Amount("Amount owed; negative for a correcting adjustment", "10.00"),
      status: Type.Union([Type.Literal("pending"), Type.Literal("in_batch"), Type.Literal("paid")], {
        description: "`in_batch`: put together for payment, not paid yet",
        examples: ["pending"],
      }),
    }),
    { description: "The payable lines" },
  ),
});
export type ExplainedRecord = Static<typeof ExplainedRecord>;

export const SkippedFillsQuery = Type.Object({
  from: Type.Optional(Type.String({ description: "First UTC day, as YYYY-MM-DD", examples: ["2026-06-01"] })),
  to: Type.Optional(Type.String({ description: "Last UTC day, included", examples: ["2026-06-30"] })),
  limit: LimitParameter(),
  cursor: CursorParameter,
});
export type SkippedFillsQuery = Static<typeof SkippedFillsQuery>;

const SkippedFill = Type.Object({ downline_wallet: Address, ...FillFields });
export const SkippedFills = Type.Object(listFields(SkippedFill, "Newest first", "fills"));
export type SkippedFills = Static<typeof SkippedFills>;
