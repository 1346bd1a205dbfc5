import type { ColumnType, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../kernel/database/tables.ts";

/*
 * The broker program's tables. Ratios and rates are whole millionths (`_e6`), money is micros (1e-6 USDT), wallets are
 * lower case, days are UTC dates as `YYYY-MM-DD`. `account` is a wallet's number in the engine, under which its fills come.
 */

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type WithDefaultBigint = ColumnType<bigint, bigint | number | undefined, bigint | number>;
/** Empty until something happens. */
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
  account: number;
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
  /** Whose it is: a broker's, or for the type `bd` a BD's. */
  broker_id: string | null;
  bd_id: string | null;
  share_ratio_e6: number;
  /** `direct`: the customer's ratio; `sub_kol`: the sub-KOL's rate; `bd`: null, the tier decides. */
  rate_e6: number | null;
  /** Of the KOL that a `bd` code makes. */
  level: number | null;
  note: string | null;
  status: CodeStatus;
  used_count: WithDefault<number>;
  expire_at: Date | null;
  created_at: Date;
}

/** Who came by which code. A wallet is bound once and for ever; the ratios are those of the code. */
export interface BrokerBindTable {
  wallet_address: string;
  account: number;
  code_id: number;
  code_type: CodeType;
  /** The broker whose code it was; null for a BD's. */
  inviter_broker_id: string | null;
  bd_id: string | null;
  /** Of customers (`direct`) only. */
  customer_ratio_e6: number | null;
  share_ratio_e6: number;
  bind_time: Date;
}

/**
 * BRK-8: what a fill's version stands for, the chain of a broker at that time. The broker's own account carries the
 * version, its customers' accounts follow it (`follow_terms`), and their ratios are in `broker_bind`. Kind `affiliate`:
 * the terms of one trader without a broker inviter; `rate_e6` is then the affiliate's reward (REF-4).
 */
export interface BrokerTermsTable {
  terms_version: GeneratedAlways<bigint>;
  /** Whose fills carry it: the broker's own, or the trader's with an affiliate. */
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
  /** What changed: created, rate, tier, status, parent … */
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
  /** Paid in the fill, and how much of it counts. */
  fee_micros: BigintColumn;
  counted_micros: BigintColumn;
  /** What was traded, at the trade's price; 0 where the wallet was on both sides. */
  volume_micros: WithDefaultBigint;
  /** Why not all of it counts; null where it does. */
  reason: string | null;
  time_ms: BigintColumn;
  command_number: BigintColumn;
  event_index: number;
}

/** BRK-8: the accruals summed; settlement reads nothing else of them. */
export interface BrokerPreSettlementTable {
  day: string;
  account: number;
  terms_version: BigintColumn;
  counted_micros: BigintColumn;
  skipped_micros: BigintColumn;
  volume_micros: WithDefaultBigint;
  fills: number;
  skipped_fills: number;
  /** The last fill that counts or not, in the order of events. */
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
  /** Of the root: goes up whenever the root changes. */
  revision: number;
  root: Buffer;
  leaf_count: number;
  /** The figures of records of brokers; affiliates' stand apart. */
  broker_count: number;
  record_count: number;
  paid_count: WithDefault<number>;
  affiliate_micros: BigintColumn;
  /** Whether `broker_downline_total` holds the day's records. */
  is_rolled_up: WithDefault<boolean>;
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
 * BRK-13: one for each period, broker and downline (revision 0), and adjustments beside it (revision 1 …), whose amounts
 * are differences. Of kind `affiliate` (REF-4): what a code's owner earns on a trader; nominal and net are the reward.
 */
export interface RebateRecordTable extends RebateSums {
  /** Follows from period, kind, owner, downline and revision, so that a rerun gives the same. */
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
  /** Who gets the net part: the broker's wallet, or the affiliate's. */
  net_payee: string;
  /** Who gets the share: the parent at the last fill; null without one. */
  parent_broker_id: string | null;
  share_payee: string | null;
  /** The hash of its leaf in the day's tree; holds no payment fields. */
  leaf: Buffer;
  /** Whether a line of it is in a batch: it never changes any more. */
  is_locked: WithDefault<boolean>;
  payment_status: WithDefault<"pending" | "paid">;
  payment_tx_hash: Later<string>;
}

export interface BrokerDayTotalTable extends RebateSums {
  broker_id: string;
  period: string;
  records: number;
  /** What the broker gets as a parent. */
  share_income_micros: BigintColumn;
  /** T11: what the downlines have traded, and the broker itself. */
  volume_micros: WithDefaultBigint;
}

export interface BrokerTotalTable extends RebateSums {
  broker_id: string;
  records: BigintColumn;
  share_income_micros: BigintColumn;
  volume_micros: WithDefaultBigint;
}

/** All rolled-up days of a broker's downline together. */
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
  /** Of its CSV. */
  sha256: string;
  /** Counts how often the fee account was asked; names the command. */
  attempt: WithDefault<number>;
  /** Whether the total was taken from the fee account. */
  is_taken: WithDefault<boolean>;
  vault_tx_hash: Later<string>;
  outside_tx_hash: Later<string>;
  /** Why it does not go on; null while it does. */
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
  /** Negative where an adjustment takes something back. */
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
