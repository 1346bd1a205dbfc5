import { type Static, Type } from "typebox";
import { orNull } from "./account-shapes.ts";
import { Address, IsoTime } from "./shapes.ts";

/** The partners of the broker program: BDs, KOLs, tiers, invite codes and bindings (interface 2.1 – 2.4, 4.1, 4.2). */

const UUID_EXAMPLE = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";
const Uuid = (description: string) => Type.String({ description, examples: [UUID_EXAMPLE] });
const Money = (description: string, example = "1250.50") =>
  Type.String({ description: `${description}, in USDT`, examples: [example] });
const Ratio = (description: string, example = "0.4") => Type.String({ description, examples: [example] });
const Count = (description: string, example = 12) => Type.Integer({ description, examples: [example] });
/** WIRE-2: a number or a decimal string, both exact. */
const DecimalInput = (description: string, example: string) =>
  Type.Union([Type.String({ maxLength: 64 }), Type.Number()], { description, examples: [example] });
/** The route checks the value itself, so that refusals come in the order of the interface. */
const Given = (description: string, example: string) =>
  Type.Optional(Type.Unknown({ description, examples: [example] }));
const Reason = Type.Optional(
  Type.String({ maxLength: 500, description: "For the audit log", examples: ["moved with the region"] }),
);
const Level = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000, description, examples: [3] });

export const BdStatus = Type.Union([Type.Literal("active"), Type.Literal("disabled")], {
  description: "A disabled BD cannot sign in; its KOLs keep working",
  examples: ["active"],
});
export type BdStatus = Static<typeof BdStatus>;
export const KolStatus = Type.Union([Type.Literal("active"), Type.Literal("frozen")], {
  description: "Nobody can bind to the codes of a frozen KOL, and payout batches leave it out",
  examples: ["active"],
});
export type KolStatus = Static<typeof KolStatus>;

/** Interface 2.1. */
export const BdAccount = Type.Object({
  id: Uuid("The BD's UUID"),
  username: Type.String({ description: "Unique ignoring case", examples: ["asia-desk"] }),
  display_name: Type.String({ description: "The username if none was given", examples: ["Asia desk"] }),
  role: Type.Literal("bd"),
  status: BdStatus,
});
export type BdAccount = Static<typeof BdAccount>;
export const BdAccountList = Type.Array(BdAccount);
export type BdAccountList = Static<typeof BdAccountList>;

const DisplayName = Type.String({ description: "1 to 64 characters", examples: ["Asia desk"] });

export const NewBdRequest = Type.Object({
  username: Type.String({ description: "1 to 64 visible characters without spaces", examples: ["asia-desk"] }),
  display_name: Type.Optional(DisplayName),
  initial_password: Type.String({ description: "8 to 256 characters; kept as a hash", examples: ["long and secret"] }),
});
export type NewBdRequest = Static<typeof NewBdRequest>;

export const BdChangeRequest = Type.Object({
  display_name: Type.Optional(DisplayName),
  status: Type.Optional(BdStatus),
});
export type BdChangeRequest = Static<typeof BdChangeRequest>;
export const BdChangeReply = Type.Object({ id: Uuid("The BD's UUID") });
export type BdChangeReply = Static<typeof BdChangeReply>;

export const BrokerIdPath = Type.Object({ id: Uuid("UUID") });

/** Interface 2.2. */
export const AdminKol = Type.Object({
  broker_id: Uuid("The KOL's UUID"),
  wallet_address: Address,
  nickname: orNull(Type.String({ examples: ["Moon Li"] })),
  bd_owner_id: orNull(Uuid("The BD that owns it; null: the company")),
  level: orNull(Count("Its tier; null for sub-KOLs", 3)),
  rebate_rate: Ratio("Its own rate"),
  parent_broker: orNull(Type.String({ description: "The parent KOL's wallet; for sub-KOLs only" })),
  invitee_count: Count("Bound downlines"),
  status: KolStatus,
});
export type AdminKol = Static<typeof AdminKol>;
export const AdminKolList = Type.Array(AdminKol);
export type AdminKolList = Static<typeof AdminKolList>;

export const AdminKolQuery = Type.Object({
  bd_id: Type.Optional(
    Type.String({
      description: "All KOLs of this BD, or of `__company__`; without it the newest 200 of everyone",
      examples: [UUID_EXAMPLE],
    }),
  ),
});
export type AdminKolQuery = Static<typeof AdminKolQuery>;

export const NewKolRequest = Type.Object({
  wallet_address: Address,
  level: Level("Its tier, whose rate it gets; 1 to 1000"),
  bd_id: Type.Optional(
    orNull(Type.String({ description: "The BD that owns it; none: the company", examples: [UUID_EXAMPLE] })),
  ),
  nickname: Type.Optional(orNull(Type.String({ description: "1 to 40 characters", examples: ["Moon Li"] }))),
  reason: Reason,
});
export type NewKolRequest = Static<typeof NewKolRequest>;

export const KolChangeRequest = Type.Object({
  level: Type.Optional(Level("Its level; the rate does not change. Not for sub-KOLs")),
  rebate_rate: Type.Optional(DecimalInput("0 to 1, at most 6 decimals. Not for sub-KOLs", "0.35")),
  status: Type.Optional(KolStatus),
  nickname: Type.Optional(
    orNull(Type.String({ description: "1 to 40 characters; null for none", examples: ["Moon Li"] })),
  ),
  reason: Reason,
});
export type KolChangeRequest = Static<typeof KolChangeRequest>;
export const KolChangeReply = Type.Object({
  broker_id: Uuid("The KOL's UUID"),
  updated: Type.Boolean({ description: "Whether any field was given" }),
});
export type KolChangeReply = Static<typeof KolChangeReply>;

export const KolTierRequest = Type.Object({
  tier_level: Type.Integer({ description: "A level of the tier thresholds", examples: [4] }),
  reason: Reason,
});
export type KolTierRequest = Static<typeof KolTierRequest>;
export const KolTierReply = Type.Object({
  broker_id: Uuid("The KOL's UUID"),
  tier_level: Count("The tier it has now", 4),
  rebate_rate: Ratio("The tier's rate, which is the KOL's now", "0.35"),
  label: Type.String({ examples: ["Platinum"] }),
});
export type KolTierReply = Static<typeof KolTierReply>;

const NewOwner = Type.String({
  description: "A BD's UUID, or `__company__` for no BD",
  examples: [UUID_EXAMPLE, "__company__"],
});
export const ReassignRequest = Type.Object({ new_owner: NewOwner, reason: Reason });
export type ReassignRequest = Static<typeof ReassignRequest>;
export const ReassignReply = Type.Object({
  broker_id: Uuid("The KOL's UUID"),
  new_bd_id: orNull(Uuid("The BD that owns it now; null: the company")),
});
export type ReassignReply = Static<typeof ReassignReply>;

export const BulkReassignRequest = Type.Object({
  new_owner: NewOwner,
  disable_bd: Type.Optional(Type.Boolean({ default: false, description: "Disable the BD whose KOLs are moved" })),
  reason: Reason,
});
export type BulkReassignRequest = Static<typeof BulkReassignRequest>;
export const BulkReassignReply = Type.Object({
  moved_kol_count: Count("KOLs that were moved, sub-KOLs included"),
  new_owner: NewOwner,
  bd_disabled: Type.Boolean({ description: "Whether this call has disabled the BD" }),
});
export type BulkReassignReply = Static<typeof BulkReassignReply>;

/** WIRE-3. */
export const Tier = Type.Object({
  level: Count("From 1 on", 3),
  label: Type.String({ examples: ["Gold"] }),
  rebate_rate: Ratio("What a KOL of this tier gets", "0.3"),
  min_fee_30d: Money("Referred fees of 30 days that the level requires", "10000.00"),
});
export type Tier = Static<typeof Tier>;
export const TierThresholds = Type.Object({
  tiers: Type.Array(Tier, { description: "By level; empty: not configured" }),
});
export type TierThresholds = Static<typeof TierThresholds>;
export const TierThresholdsRequest = Type.Object({
  tiers: Type.Array(
    Type.Object({
      level: Level("Unique, 1 to 1000"),
      label: Type.String({ description: "1 to 40 characters", examples: ["Gold"] }),
      rebate_rate: DecimalInput("0 to 1, not below that of the level before", "0.30"),
      min_fee_30d: DecimalInput("In USDT, not below that of the level before", "10000"),
    }),
    {
      minItems: 1,
      maxItems: 20,
      description: "All tiers; they replace the existing ones",
      examples: [
        [
          { level: 1, label: "Bronze", rebate_rate: "0.20", min_fee_30d: "0" },
          { level: 2, label: "Silver", rebate_rate: "0.25", min_fee_30d: "2000" },
        ],
      ],
    },
  ),
  reason: Reason,
});
export type TierThresholdsRequest = Static<typeof TierThresholdsRequest>;

const rebateSums = {
  total_fee: Money("Fees of all records", "100000.00"),
  total_nominal_rebate: Money("Gross rebates", "40000.00"),
  total_kol_rebate: Money("The KOLs' net part", "25000.00"),
  platform_net_retention: Money("Nominal less KOLs' rebates", "15000.00"),
  total_customer_rebate: Money("Returned to the downlines", "14000.00"),
  total_share: Money("Shared with parent KOLs", "1000.00"),
};
const kolCounts = {
  kol_count: Count("Active KOLs, sub-KOLs included", 40),
  sub_kol_count: Count("The active sub-KOLs among them", 10),
};

/** Interface 4.1 and T6. */
export const AdminDashboard = Type.Object({
  bd_count: Count("Active BDs", 3),
  ...kolCounts,
  ...rebateSums,
  total_affiliate_reward: Money("Rewards of on-chain affiliates", "500.00"),
  true_net_revenue: Money("Fees less all rebates and affiliate rewards", "59500.00"),
});
export type AdminDashboard = Static<typeof AdminDashboard>;

export const BdDashboard = Type.Object({
  ...kolCounts,
  frozen_kol_count: Count("Frozen KOLs, sub-KOLs included", 1),
  customer_count: Count("Direct customers of all of them", 800),
  ...rebateSums,
  codes: Type.Object(
    {
      active: Count("Open codes", 2),
      used: Count("Codes that made a KOL", 9),
      expired: Count("Codes that expired unused", 1),
      disabled: Count("Disabled codes", 0),
    },
    { description: "The BD's own invite codes" },
  ),
});
export type BdDashboard = Static<typeof BdDashboard>;

export const CodeStatus = Type.Union(
  [Type.Literal("active"), Type.Literal("used"), Type.Literal("expired"), Type.Literal("disabled")],
  { description: "used: a sub_kol or bd code has been bound", examples: ["active"] },
);
export type CodeStatus = Static<typeof CodeStatus>;
export const InviteCodeType = Type.Union([Type.Literal("direct"), Type.Literal("sub_kol"), Type.Literal("bd")], {
  description: "direct makes customers, sub_kol one sub-KOL, bd one KOL",
  examples: ["direct"],
});
export type InviteCodeType = Static<typeof InviteCodeType>;

/** Interface 2.4. */
export const BoundBroker = Type.Object({
  wallet_address: Address,
  nickname: orNull(Type.String({ examples: ["Moon Li"] })),
  bind_time: IsoTime,
  total_fee: Money("Fees of its own trades and of its customers", "2500.00"),
  total_commission: Money("Its net earnings", "300.00"),
  total_volume: Type.Literal("0"),
  status: KolStatus,
});
export type BoundBroker = Static<typeof BoundBroker>;

/** Interface 2.3. */
export const InviteCode = Type.Object({
  id: Count("A note for the owner", 7),
  code: Type.String({ description: "8 characters, read ignoring case", examples: ["7K3M9QXA"] }),
  code_type: InviteCodeType,
  share_ratio: Ratio("The part of the KOL's rebate that is shared with the parent KOL", "0.2"),
  rebate_rate: Ratio(
    "direct: the customer's ratio; sub_kol: the sub-KOL's rate; bd: the tier's rate now, 0 without such a tier",
    "0.1",
  ),
  level: orNull(Count("Of the KOL that a bd code makes; null otherwise", 3)),
  note: orNull(Type.String({ examples: ["spring campaign"] })),
  cached_used_count: Count("Number of bindings", 0),
  status: CodeStatus,
  expire_at: orNull(IsoTime),
  bound_broker: orNull(BoundBroker),
});
export type InviteCode = Static<typeof InviteCode>;
export const InviteCodeList = Type.Array(InviteCode);
export type InviteCodeList = Static<typeof InviteCodeList>;

export const NewInviteCodeRequest = Type.Object({
  code_type: Given("Required: `direct` or `sub_kol`", "direct"),
  share_ratio: Given("Required: 0 to 1, at most 6 decimals, a number or a decimal string", "0.2"),
  customer_rebate_ratio: Given("Required for direct: 0 to 1, at most the caller's and the parent's rate", "0.1"),
  sub_kol_rebate_rate: Given("Required for sub_kol: 0 to 1, at most the caller's rate", "0.3"),
  note: Given("At most 200 characters", "spring campaign"),
});
export type NewInviteCodeRequest = Static<typeof NewInviteCodeRequest>;
/** A number or a decimal string. */
type RatioInput = string | number;
/**
 * The valid form of these requests; the schema accepts more, so that the route refuses in the order of the interface.
 */
export type InviteCodeDraft = {
  readonly share_ratio: RatioInput;
  readonly note?: string | undefined;
} & (
  | { readonly code_type: "direct"; readonly customer_rebate_ratio: RatioInput }
  | { readonly code_type: "sub_kol"; readonly sub_kol_rebate_rate: RatioInput }
);

export const InviteCodeQuery = Type.Object({
  code_type: Type.Optional(
    Type.Union([Type.Literal("all"), Type.Literal("sub_kol"), Type.Literal("direct")], { default: "all" }),
  ),
});
export type InviteCodeQuery = Static<typeof InviteCodeQuery>;

export const InviteCodePath = Type.Object({ id: Type.String({ description: "The code's id", examples: ["7"] }) });
export const InviteCodeChangeRequest = Type.Object({
  status: Type.Union([Type.Literal("active"), Type.Literal("disabled")], { examples: ["disabled"] }),
});
export type InviteCodeChangeRequest = Static<typeof InviteCodeChangeRequest>;

export const NewBdCodeRequest = Type.Object({
  level: Level("The tier of the KOL that the code makes"),
  note: Type.Optional(orNull(Type.String({ description: "At most 200 characters", examples: ["for Moon Li"] }))),
});
export type NewBdCodeRequest = Static<typeof NewBdCodeRequest>;

export const ReferralInfo = Type.Object({
  referral_code: Type.String({ description: "The newest active code; empty without one", examples: ["7K3M9QXA"] }),
  invite_codes: InviteCodeList,
});
export type ReferralInfo = Static<typeof ReferralInfo>;

/** BRK-1. */
export const BindRequest = Type.Object({
  code: Type.String({ description: "In upper or lower case", examples: ["7K3M9QXA"] }),
});
export const BindReply = Type.Object({
  bound: Type.Literal(true),
  code_type: InviteCodeType,
  inviter_wallet: orNull(Type.String({ description: "The inviting KOL's wallet; null for a BD's code" })),
  inviter_name: orNull(Type.String({ description: "The KOL's nickname, or the BD's name" })),
  bind_time: IsoTime,
});
export type BindReply = Static<typeof BindReply>;
