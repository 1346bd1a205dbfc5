import { type Static, Type } from "typebox";
import { Amount, orNull } from "./account-shapes.ts";
import { CursorParameter, cursorParameters, LimitParameter, listFields } from "./lists.ts";
import { Address, IsoTime } from "./shapes.ts";

const Count = (description: string, example = 1) => Type.Integer({ description, examples: [example] });
const AuditId = Count("The entry of the audit log", 42);
const live = [
  Type.Literal("active"),
  Type.Literal("frozen"),
  Type.Literal("expired_pending"),
  Type.Literal("recalled"),
] as const;
const said = {
  description:
    "active; frozen: only reducing orders; expired_pending: its time is over, only closing is allowed; recalled: over",
  examples: ["active"],
};
const LiveStatus = Type.Union([...live], said);
const AnyStatus = Type.Union([...live, Type.Literal("refused")], {
  ...said,
  description: `${said.description}; refused: the account could not take it`,
});

/** BON-10, interface 4.6. */
export const BonusControlRequest = Type.Object({
  target_address: Type.String({
    description: "The wallet whose bonus is meant",
    examples: ["0x52908400098527886e0f7030069857d2e4169ee7"],
  }),
  reason: Type.String({ description: "For the audit log, 1 to 500 characters", examples: ["several accounts"] }),
  operator_addr: Type.String({
    description: "Wallet of the responsible operator",
    examples: ["0x52908400098527886e0f7030069857d2e4169ee7"],
  }),
  request_id: Type.String({
    description:
      "Unique per call, 1 to 128 printable ASCII characters without spaces. A repeated one answers what the first call did",
    examples: ["freeze-2026-06-01-a"],
  }),
});
export type BonusControlRequest = Static<typeof BonusControlRequest>;

export const BonusControlReply = Type.Object({
  audit_id: AuditId,
  target_address: Address,
  status: LiveStatus,
  recalled_amount: Amount("Amount returned to the pool, in USDT", "0.00"),
  still_locked_amount: Amount("The part of the bonus that is in margin, in USDT", "0.00"),
  replayed: Type.Boolean({
    description: "Whether this repeats the reply to an earlier call with the same request_id",
    examples: [false],
  }),
});
export type BonusControlReply = Static<typeof BonusControlReply>;

const MaxLeverage = Count("Maximum leverage while the bonus lasts", 10);
const GrantTier = Type.String({ description: "Of the grant", examples: ["COMMUNITY"] });
const parts = {
  bonus_free: Amount("Not in margin, in USDT", "350.00"),
  bonus_locked: Amount("In margin, in USDT", "100.00"),
  bonus_consumed: Amount("Consumed by costs, in USDT", "50.00"),
};

/** WIRE-5. */
export const MyBonus = Type.Object({
  status: Type.Union([...live, Type.Literal("none")], {
    ...said,
    description: `${said.description}; none: never granted`,
  }),
  amount: Amount("As granted, in USDT", "500.00"),
  ...parts,
  slippage: Amount("What trades of this bonus cost against the mark, in USDT", "0.00"),
  slippage_budget: Amount("Up to here the bonus pays its share of it; a twentieth of the grant", "25.00"),
  bonus_owed: Amount(
    "What the bonus paid of losses beyond that, or that were there before the grant: not withdrawable, goes back to the pool when the bonus ends",
    "0.00",
  ),
  max_leverage: orNull(MaxLeverage),
  grant_tier: orNull(GrantTier),
  granted_at: orNull(IsoTime),
  expires_at: orNull(IsoTime),
});
export type MyBonus = Static<typeof MyBonus>;

export const BonusLedgerQuery = Type.Object(cursorParameters);
export type BonusLedgerQuery = Static<typeof BonusLedgerQuery>;

/** BON-6. */
export const BonusLedgerLine = Type.Object({
  kind: Type.String({
    description: "GRANT, LOCK, UNLOCK, CONSUME_FEE, CONSUME_FUNDING, CONSUME_LOSS, RECALL or EXPIRE",
    examples: ["CONSUME_FEE"],
  }),
  amount: Amount("In USDT, positive in both directions", "1.50"),
  bonus_after: Amount("The bonus after this line, including its locked part", "498.50"),
  locked_after: Amount("The locked part after this line", "100.00"),
  consumed_after: Amount("Consumed by costs after this line", "1.50"),
  time: IsoTime,
});
export type BonusLedgerLine = Static<typeof BonusLedgerLine>;

export const BonusLedger = Type.Object(
  listFields(BonusLedgerLine, "Oldest first, unless `order` says otherwise", "lines"),
);
export type BonusLedger = Static<typeof BonusLedger>;

/** A bonus account as admins see it. */
export const BonusAccount = Type.Object({
  id: Count("Its number", 7),
  address: Address,
  campaign_id: Count("The campaign it belongs to"),
  grant_batch_id: Type.String({
    description: "The batch's UUID",
    examples: ["3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"],
  }),
  grant_tier: GrantTier,
  status: AnyStatus,
  is_credited: Type.Boolean({ description: "Whether it has reached the futures account", examples: [true] }),
  amount: Amount("As granted, in USDT", "500.00"),
  ...parts,
  max_leverage: MaxLeverage,
  granted_at: IsoTime,
  expires_at: IsoTime,
  ended_at: orNull(IsoTime),
  freeze_reason: orNull(Type.String({ description: "Why it was frozen last", examples: ["several accounts"] })),
});
export type BonusAccount = Static<typeof BonusAccount>;

export const BonusAccountsQuery = Type.Object({
  status: Type.Optional(AnyStatus),
  address: Type.Optional(
    Type.String({ description: "A wallet", examples: ["0x52908400098527886e0f7030069857d2e4169ee7"] }),
  ),
  limit: LimitParameter(),
  cursor: CursorParameter,
});
export type BonusAccountsQuery = Static<typeof BonusAccountsQuery>;

export const BonusAccountList = Type.Object(listFields(BonusAccount, "Newest first", "accounts"));
export type BonusAccountList = Static<typeof BonusAccountList>;

export const BonusAccountPath = Type.Object({ address: Address });

const PoolEntry = Type.Object({
  kind: Type.String({ description: "GRANT leaves the pool; RECALL, EXPIRE, REFUSED come back", examples: ["GRANT"] }),
  amount: Amount("In USDT", "500.00"),
  command_number: orNull(Count("The engine's command number; null while a grant is in flight", 120)),
  time: IsoTime,
});

export const BonusAccountDetail = Type.Object({
  address: Address,
  bonuses: Type.Array(
    Type.Object({
      ...BonusAccount.properties,
      pool_lines: Type.Array(PoolEntry, { description: "Its lines in the pool's ledger, in order" }),
    }),
    { description: "All bonuses of the wallet, newest first" },
  ),
});
export type BonusAccountDetail = Static<typeof BonusAccountDetail>;

const Mismatch = Type.Object({
  address: orNull(Address),
  ledger: Amount("Granted and not returned, by the pool's ledger", "500.00"),
  shadow: Amount("Held and consumed, by the engine's account", "499.00"),
  difference: Amount("Ledger less shadow", "1.00"),
});

/** BON-11. */
export const BonusReconcileReport = Type.Object({
  net_outflow: Amount("Granted and not returned, by the pool's ledger; without grants in flight", "1000.00"),
  outstanding_shadow_total: Amount("Free, locked and consumed bonus of all accounts, by the engine", "1000.00"),
  pool_cap_usdt: Amount("The setting BONUS_POOL_CAP_USDT", "50000.00"),
  difference: Amount("The first less the second", "0.00"),
  tolerance: Amount("Allowed difference: 0", "0.000000"),
  ok: Type.Boolean({
    description: "Both sides agree in total and per account, and with the pool's sums",
    examples: [true],
  }),
  within_cap: Type.Boolean({ description: "The pool, grants in flight included, is within its cap", examples: [true] }),
  in_flight_count: Count("Grants that the engine had not received at the event cursor", 0),
  in_flight_total: Amount("Their sum", "0.00"),
  in_flight_grants: Type.Array(
    Type.Object({ address: Address, amount: Amount("In USDT", "500.00"), granted_at: IsoTime }),
    {
      description: "At most 50 of them",
    },
  ),
  counts_by_status: Type.Record(Type.String(), Type.Integer(), {
    description: "Bonuses by status",
    examples: [{ active: 2, recalled: 1 }],
  }),
  sums_by_kind: Type.Record(Type.String(), Type.String(), {
    description: "Sums of all bonus ledger lines by kind, in USDT",
    examples: [{ GRANT: "1500.00", RECALL: "500.00" }],
  }),
  mismatching_count: Count("Accounts that do not add up", 0),
  mismatching_accounts: Type.Array(Mismatch, { description: "At most 50 of them, the largest difference first" }),
  pool_sums_ok: Type.Boolean({ description: "The pool's stored sums equal the sums of its lines", examples: [true] }),
  grants_stopped: Type.Boolean({ description: "No new grants are made", examples: [false] }),
  stopped_reason: orNull(Type.String({ description: "Why", examples: ["the books differ by 1.00 USDT"] })),
  backing: orNull(
    Type.Object(
      {
        consumed: Amount("Consumed by costs, all bonuses", "50.00"),
        contributed: Amount("Paid into the Vault for it", "50.00"),
        owed: Amount("Still to be paid", "0.00"),
      },
      { description: "VLT-2; null while the chain does not answer" },
    ),
  ),
  event_cursor: Count("The engine's command up to which both sides are compared", 1200),
  generated_at: IsoTime,
});
export type BonusReconcileReport = Static<typeof BonusReconcileReport>;
