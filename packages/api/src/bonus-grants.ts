import { type Static, Type } from "typebox";
import { Amount, AmountInput, orNull } from "./account-shapes.ts";
import { CursorParameter, LimitParameter, listFields } from "./lists.ts";
import { Address, IsoTime } from "./shapes.ts";

const BatchId = Type.String({
  description: "The batch's UUID",
  examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"],
});
const AuditId = Type.Integer({ description: "The entry of the audit log", examples: [42] });
const Replayed = Type.Boolean({
  description: "Whether this repeats the reply to an earlier call with the same request_id",
  examples: [false],
});
const RequestId = Type.String({
  description:
    "Unique per call, 1 to 128 printable ASCII characters without spaces. A repeated one answers what the first call did",
  examples: ["grant-2026-06-01-a"],
});
const Operator = Type.String({
  description: "Wallet of the responsible operator",
  examples: ["0x52908400098527886e0f7030069857d2e4169ee7"],
});
const BatchName = Type.String({ description: "1 to 100 characters", examples: ["Community round 1"] });
const GrantTier = Type.String({ description: "1 to 32 characters, such as COMMUNITY or KOL", examples: ["COMMUNITY"] });
const Notes = Type.String({ description: "For people, at most 500 characters", examples: ["winners of the quiz"] });
const MaxLeverage = (max?: number) =>
  Type.Integer({
    minimum: 1,
    ...(max === undefined ? {} : { maximum: max }),
    description: "Maximum leverage while the bonus lasts",
    examples: [10],
  });
const Count = (description: string, example = 1) => Type.Integer({ description, examples: [example] });
const Reason = Type.String({ description: "For the audit log, 1 to 500 characters", examples: ["the round is over"] });

/** Interface 4.6. */
export const GrantBatchRequest = Type.Object({
  batch_name: BatchName,
  grant_tier: GrantTier,
  per_address_amount: AmountInput("USDT for each wallet, at most six decimals", "500"),
  max_leverage: MaxLeverage(125),
  recipients: Type.Array(Type.String(), {
    description: "Wallets, 1 to 500; those that fail are listed and do not stop the others",
    examples: [["0x52908400098527886e0f7030069857d2e4169ee7"]],
  }),
  operator_addr: Operator,
  notes: Type.Optional(orNull(Notes)),
  request_id: Type.Optional(RequestId),
});
export type GrantBatchRequest = Static<typeof GrantBatchRequest>;

export const GrantBatchQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: "Only reports what would happen; request_id may be omitted" }),
  ),
});
export type GrantBatchQuery = Static<typeof GrantBatchQuery>;

export const FailedRecipient = Type.Object({
  address: Type.String({ description: "As it was sent", examples: ["0x52908400098527886e0f7030069857d2e4169ee7"] }),
  reason: Type.Union(
    [
      Type.Literal("invalid_address"),
      Type.Literal("already_has_bonus"),
      Type.Literal("account_in_debt"),
      Type.Literal("balance_limit"),
    ],
    {
      description:
        "already_has_bonus: a second time in the list, or it has had a bonus of this campaign, or one is still running. " +
        "balance_limit: the account would hold more than an account may",
      examples: ["already_has_bonus"],
    },
  ),
});
export type FailedRecipient = Static<typeof FailedRecipient>;

export const GrantBatchReply = Type.Object({
  grant_batch_id: BatchId,
  created: Count("Bonuses that are active now", 1),
  failed: Type.Array(FailedRecipient, { description: "Recipients that got none, in the order of the list" }),
  replayed: Replayed,
  audit_id: AuditId,
});
export type GrantBatchReply = Static<typeof GrantBatchReply>;

/** BON-13. */
export const GrantForecast = Type.Object({
  dry_run: Type.Literal(true, { description: "Nothing was done", examples: [true] }),
  would_create: Count("Bonuses that would be active", 1),
  would_fail: Type.Array(FailedRecipient, { description: "Recipients that would get none" }),
  pool_cap_usdt: Amount("The pool's cap", "50000.00"),
  net_outflow: Amount("Granted and not returned, now", "1000.00"),
  headroom_before: Amount("The pool's headroom now", "49000.00"),
  headroom_after: Amount("Headroom after the batch; negative if it does not fit", "48500.00"),
  within_cap: Type.Boolean({ description: "Whether the batch fits", examples: [true] }),
  worst_case_cost: Amount("If all of it is consumed", "500.00"),
  grants_stopped: Type.Boolean({
    description: "No grants are made until the reconciliation agrees",
    examples: [false],
  }),
});
export type GrantForecast = Static<typeof GrantForecast>;

export const GenerateCodesRequest = Type.Object({
  grant_batch_id: BatchId,
  amount: AmountInput("USDT of each code, at most six decimals", "500"),
  count: Type.Integer({ description: "Codes, 1 to 5000", examples: [100] }),
  ttl_days: Type.Integer({ minimum: 1, maximum: 365, description: "Days until they expire", examples: [30] }),
  operator_addr: Operator,
  request_id: RequestId,
});
export type GenerateCodesRequest = Static<typeof GenerateCodesRequest>;

export const GenerateCodesReply = Type.Object({
  audit_id: AuditId,
  codes: Type.Array(Type.String(), { description: "16 characters each", examples: [["7Q2M9KXD4TB0WZHN"]] }),
  replayed: Replayed,
  expires_at: IsoTime,
});
export type GenerateCodesReply = Static<typeof GenerateCodesReply>;

export const EndCodesRequest = Type.Object({
  grant_batch_id: BatchId,
  operator_addr: Operator,
  request_id: RequestId,
  reason: Type.Optional(Reason),
});
export type EndCodesRequest = Static<typeof EndCodesRequest>;

export const ExpireCodesReply = Type.Object({
  audit_id: AuditId,
  expired: Count("Codes that were unused until now", 100),
  replayed: Replayed,
});
export type ExpireCodesReply = Static<typeof ExpireCodesReply>;
export const VoidCodesReply = Type.Object({
  audit_id: AuditId,
  voided: Count("Codes that were unused until now", 100),
  replayed: Replayed,
});
export type VoidCodesReply = Static<typeof VoidCodesReply>;

export const CodeCounts = Type.Object({
  unused: Count("Redeemable", 90),
  redeemed: Count("Used", 10),
  expired: Count("Expired", 0),
  void: Count("Taken back", 0),
});
export type CodeCounts = Static<typeof CodeCounts>;

export const BonusBatch = Type.Object({
  grant_batch_id: BatchId,
  campaign_id: Count("The campaign it belongs to"),
  batch_name: BatchName,
  grant_tier: GrantTier,
  per_address_amount: Amount("USDT for each recipient", "500.00"),
  max_leverage: MaxLeverage(),
  operator_addr: Operator,
  notes: orNull(Notes),
  created: Count("Recipients that were granted a bonus", 1),
  failed: Count("Recipients that were not", 0),
  codes: CodeCounts,
  created_by: Type.String({ description: "Who called, as in the audit log", examples: ["bonus-admin"] }),
  created_at: IsoTime,
});
export type BonusBatch = Static<typeof BonusBatch>;

export const BonusBatchPath = Type.Object({ id: BatchId });

/** WIRE-8. */
export const BonusListQuery = Type.Object({ limit: LimitParameter(), cursor: CursorParameter });
export type BonusListQuery = Static<typeof BonusListQuery>;

export const BonusBatchList = Type.Object(listFields(BonusBatch, "Newest first", "batches"));
export type BonusBatchList = Static<typeof BonusBatchList>;

export const PoolLine = Type.Object({
  id: Count("Its number", 7),
  kind: Type.Union([Type.Literal("GRANT"), Type.Literal("RECALL"), Type.Literal("EXPIRE"), Type.Literal("REFUSED")], {
    description: "GRANT leaves the pool, all others come back to it",
    examples: ["GRANT"],
  }),
  amount: Amount("In USDT, positive in both directions", "500.00"),
  address: Address,
  time: IsoTime,
  command_number: orNull(Count("The engine's command number; null while a grant is in flight", 120)),
});
export type PoolLine = Static<typeof PoolLine>;

export const PoolLedger = Type.Object(listFields(PoolLine, "Newest first", "lines"));
export type PoolLedger = Static<typeof PoolLedger>;

const CampaignName = Type.String({ description: "1 to 100 characters", examples: ["Launch"] });
const ValidityDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  description: "Days from the grant until a bonus expires",
  examples: [7],
});
const OpensAt = orNull(
  Type.String({ description: "ISO 8601; null: open from the start", examples: ["2026-06-01T00:00:00Z"] }),
);
const ClosesAt = Type.String({
  description: "ISO 8601, the last moment of redemption",
  examples: ["2026-06-10T15:59:59Z"],
});

/** T13: the parameters of grants and redemptions from now on. */
export const BonusCampaign = Type.Object({
  id: Count("Its number; the highest is the running one"),
  name: CampaignName,
  amount: Amount("Usual amount per wallet", "500.00"),
  max_amount: orNull(Amount("Maximum per wallet; null for none", "1000.00")),
  validity_days: ValidityDays,
  redemption_opens_at: OpensAt,
  redemption_closes_at: ClosesAt,
  pool_cap_usdt: Amount("The setting BONUS_POOL_CAP_USDT", "50000.00"),
  created_at: IsoTime,
});
export type BonusCampaign = Static<typeof BonusCampaign>;

export const CampaignRequest = Type.Object({
  new: Type.Optional(
    Type.Boolean({
      description: "Begins a new campaign, of which each wallet may have one bonus; needs a new name",
      examples: [false],
    }),
  ),
  name: Type.Optional(CampaignName),
  amount: Type.Optional(AmountInput("Usual amount per wallet", "500")),
  max_amount: Type.Optional(orNull(AmountInput("Maximum per wallet; null for none", "1000"))),
  validity_days: Type.Optional(ValidityDays),
  redemption_opens_at: Type.Optional(OpensAt),
  redemption_closes_at: Type.Optional(ClosesAt),
  pool_cap_usdt: Type.Optional(AmountInput("Read only, because it is a setting; another value is refused", "50000")),
});
export type CampaignRequest = Static<typeof CampaignRequest>;

export const RedeemRequest = Type.Object({
  code: Type.String({
    description: "Upper or lower case; spaces and dashes are ignored",
    examples: ["7Q2M-9KXD-4TB0-WZHN"],
  }),
});

/** BON-1. */
export const RedeemReply = Type.Object({
  status: Type.Literal("active", { description: "The bonus is in the futures account", examples: ["active"] }),
  amount: Amount("In USDT", "500.00"),
  max_leverage: MaxLeverage(),
  granted_at: IsoTime,
  expires_at: IsoTime,
  grant_tier: GrantTier,
});
export type RedeemReply = Static<typeof RedeemReply>;
