import type { ColumnType, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../kernel/database/tables.ts";

/*
 * The broker program's tables. Ratios and rates are whole millionths (`_e6`), money is micros (1e-6 USDT), wallets are lower case,
 * days are UTC dates as `YYYY-MM-DD`. `account` is a wallet's account number in the engine, which its fills carry.
 */

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type WithDefaultBigint = ColumnType<bigint, bigint | number | undefined, bigint | number>;
/** Null when the row is inserted. */
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type BrokerStatus = "active" | "frozen";
export type CodeType = "direct" | "sub_kol" | "bd";
export type CodeStatus = "active" | "used" | "expired" | "disabled";

/** BRK-6. No rows: the thresholds are not configured. */
export interface BrokerTierTable {
  level: number;
  label: string;
  rate_e6: number;
  min_fee_30d_micros: BigintColumn;
}

/** A KOL, or, with a parent, a sub-KOL. */
export interface BrokerTable {
  id: string;
  /** Null until the account is opened (SEC-11). */
  account: Later<number>;
  wallet_address: string;
  nickname: string | null;
  /** Null: the company. A sub-KOL has its parent's. */
  bd_owner_id: string | null;
  parent_broker_id: string | null;
  /** Null for sub-KOLs only. */
  level: number | null;
  rate_e6: number;
  /** The share ratio of the sub_kol code that bound it; 0 for KOLs. */
  bound_share_e6: WithDefault<number>;
  status: BrokerStatus;
  created_at: Date;
}

export interface BrokerInviteCodeTable {
  id: GeneratedAlways<number>;
  /** Upper case; codes are read ignoring case. */
  code: string;
  code_type: CodeType;
  /** The owner: a broker, or a BD for the type `bd`. */
  broker_id: string | null;
  bd_id: string | null;
  share_ratio_e6: number;
  /** `direct`: the customer's ratio; `sub_kol`: the sub-KOL's rate; `bd`: null, the tier decides. */
  rate_e6: number | null;
  /** The level of the KOL that a `bd` code makes. */
  level: number | null;
  note: string | null;
  status: CodeStatus;
  used_count: WithDefault<number>;
  expire_at: Date | null;
  created_at: Date;
}

/** The wallets bound by codes. A bind is permanent; the ratios are those of the code. */
export interface BrokerBindTable {
  wallet_address: string;
  /** Null until the account is opened (SEC-11). */
  account: Later<number>;
  code_id: number;
  code_type: CodeType;
  /** The broker that owns the code; null for a BD's code. */
  inviter_broker_id: string | null;
  bd_id: string | null;
  /** For customers (`direct`) only. */
  customer_ratio_e6: number | null;
  share_ratio_e6: number;
  bind_time: Date;
}

/**
 * BRK-8: the terms of a version: a broker's chain at that time. The broker's own account carries the version, its customers'
 * accounts follow it (`follow_terms`), and their ratios are in `broker_bind`. Kind `affiliate`: the terms of one trader without a
 * broker as its inviter; `rate_e6` is then the affiliate's reward (REF-4).
 */
export interface BrokerTermsTable {
  terms_version: GeneratedAlways<bigint>;
  /** The account whose fills carry it: the broker's own, or that of the trader with an affiliate. */
  account: number;
  wallet_address: string;
  kind: "broker" | "affiliate";
  broker_id: string | null;
  rate_e6: number;
  parent_broker_id: string | null;
  parent_rate_e6: number | null;
  bound_share_e6: number;
  status: BrokerStatus;
  affiliate: string | null;
  /** The cause of the change: created, rate, tier, status, parent … */
  cause: string;
  created_at: Date;
}

/** BRK-7, BRK-8: one row for each fill under some terms, by the fill's id (market, trade, side). */
export interface BrokerAccrualTable {
  market: number;
  trade: BigintColumn;
  side: number;
  account: number;
  day: string;
  terms_version: BigintColumn;
  /** The fee paid in the fill, and the countable part of it. */
  fee_micros: BigintColumn;
  counted_micros: BigintColumn;
  /** The traded value at the trade's price; 0 for a self-trade. */
  volume_micros: WithDefaultBigint;
  /** Why not all of the fee counts; null if it does. */
  reason: string | null;
  time_ms: BigintColumn;
  command_number: BigintColumn;
  event_index: number;
}

/** BRK-8: the sums of accruals; settlement reads nothing else of them. */
export interface BrokerPreSettlementTable {
  day: string;
  account: number;
  terms_version: BigintColumn;
  counted_micros: BigintColumn;
  skipped_micros: BigintColumn;
  volume_micros: WithDefaultBigint;
  fills: number;
  skipped_fills: number;
  /** The last fill, countable or not, in the order of events. */
  last_command: BigintColumn;
  last_event: number;
}

interface RebateSums {
  fee_micros: BigintColumn;
  nominal_micros: BigintColumn;
  customer_micros: BigintColumn;
  share_micros: BigintColumn;
  net_micros: BigintColumn;
}

/** A settled day. */
export interface RebatePeriodTable extends RebateSums {
  period: string;
  status: "provisional" | "closed";
  /** The revision of the root, which rises with every change of it. */
  revision: number;
  root: Buffer;
  leaf_count: number;
  /** The totals of broker records; those of affiliates are separate. */
  broker_count: number;
  record_count: number;
  paid_count: WithDefault<number>;
  affiliate_micros: BigintColumn;
  /** Whether `broker_downline_total` contains the day's records. */
  is_rolled_up: WithDefault<boolean>;
  /** LOG-3: the log does not tell what of it was paid: it is neither settled nor paid again. */
  is_sealed: WithDefault<boolean>;
  calculated_at: Date;
  closed_at: Date | null;
}

/** Every root a day has had. */
export interface RebateRootTable {
  period: string;
  revision: number;
  root: Buffer;
  leaf_count: number;
  created_at: Date;
}

/**
 * BRK-13: one record for each period, broker and downline (revision 0), and adjustments (revision 1 …), whose amounts are
 * differences. Of kind `affiliate` (REF-4): the reward of a code's owner on a trader; nominal and net are the reward.
 */
export interface RebateRecordTable extends RebateSums {
  /** Derived from period, kind, owner, downline and revision, so that a rerun gives the same id. */
  id: string;
  period: string;
  kind: "broker" | "affiliate";
  broker_id: string | null;
  downline_account: number;
  downline_wallet: string;
  revision: number;
  /** The rates at the last fill. */
  rate_e6: number;
  customer_ratio_e6: number;
  share_ratio_e6: number;
  /** The payee of the net part: the broker's wallet, or the affiliate's. */
  net_payee: string;
  /** The payee of the share: the parent at the last fill; null without one. */
  parent_broker_id: string | null;
  share_payee: string | null;
  /** The hash of its leaf in the day's tree; it covers no payment fields. */
  leaf: Buffer;
  /** Whether a line of the record was put into a batch: then the record never changes again. */
  is_locked: WithDefault<boolean>;
  payment_status: WithDefault<"pending" | "paid">;
  payment_tx_hash: Later<string>;
}

export interface BrokerDayTotalTable extends RebateSums {
  broker_id: string;
  period: string;
  records: number;
  /** The broker's income as a parent. */
  share_income_micros: BigintColumn;
  /** T11: the volume of the downlines and of the broker itself. */
  volume_micros: WithDefaultBigint;
}

export interface BrokerTotalTable extends RebateSums {
  broker_id: string;
  records: BigintColumn;
  share_income_micros: BigintColumn;
  volume_micros: WithDefaultBigint;
}

/** The totals of a broker's downline over all rolled-up days. */
export interface BrokerDownlineTotalTable extends RebateSums {
  broker_id: string;
  downline_account: number;
}

export type PayoutStatus = "open" | "paying" | "paid" | "cancelled";
export type LineKind = "customer" | "kol" | "share" | "affiliate";

export interface PayoutBatchTable {
  id: string;
  period: string | null;
  min_amount_micros: BigintColumn;
  status: PayoutStatus;
  way: Later<"chain" | "outside">;
  line_count: number;
  payee_count: number;
  total_micros: BigintColumn;
  /** The digest of the batch's CSV. */
  sha256: string;
  /** Counts the debits of the fee account; part of the command's reference. */
  attempt: WithDefault<number>;
  /** Whether the total was debited from the fee account. */
  is_taken: WithDefault<boolean>;
  vault_tx_hash: Later<string>;
  outside_tx_hash: Later<string>;
  /** Why the payment does not continue; null while it does. */
  hold_up: Later<string>;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  paid_at: Later<Date>;
}

export interface PayoutPayeeTable {
  batch_id: string;
  payee: string;
  amount_micros: BigintColumn;
  line_count: number;
  tx_hash: Later<string>;
  paid_at: Later<Date>;
}

/** A part of a record that was put into a batch; the key makes it payable once. Parts without a row are pending. */
export interface PayoutLineTable {
  record_id: string;
  kind: LineKind;
  batch_id: string;
  payee: string;
  /** Negative if an adjustment takes something back. */
  amount_micros: BigintColumn;
}

export type BrokerTables = {
  broker_tier: BrokerTierTable;
  broker: BrokerTable;
  broker_invite_code: BrokerInviteCodeTable;
  broker_bind: BrokerBindTable;
  broker_terms: BrokerTermsTable;
  broker_accrual: BrokerAccrualTable;
  broker_pre_settlement: BrokerPreSettlementTable;
  rebate_period: RebatePeriodTable;
  rebate_root: RebateRootTable;
  rebate_record: RebateRecordTable;
  broker_day_total: BrokerDayTotalTable;
  broker_total: BrokerTotalTable;
  broker_downline_total: BrokerDownlineTotalTable;
  payout_batch: PayoutBatchTable;
  payout_payee: PayoutPayeeTable;
  payout_line: PayoutLineTable;
};

export type BrokerDb = Kysely<KernelTables & BrokerTables>;
export type BrokerTx = Transaction<KernelTables & BrokerTables>;

export const brokerDb = ({ db }: Pick<Database, "db">): BrokerDb => db.$extendTables<BrokerTables>();
export const brokerTx = (tx: Tx): BrokerTx => tx.$extendTables<BrokerTables>() as BrokerTx;
