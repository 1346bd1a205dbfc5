import type { Kysely, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../kernel/database/tables.ts";

/*
 * The contract's state up to the indexer's block. Addresses and codes are lower-case hex. Zero values have no row, so that undoing
 * an event restores exactly the previous tables.
 */

export interface ReferralCodeTable {
  code: string;
  owner: string;
}

/** The code that a trader uses. */
export interface ReferralTraderTable {
  trader: string;
  code: string;
}

export interface ReferralAffiliateTable {
  affiliate: string;
  tier: number;
}

export interface ReferralTierTermsTable {
  tier: number;
  total_bps: number;
  discount_share_bps: number;
}

/** A batch of rebates that the contract has accepted, once per id. */
export interface ReferralBatchTable {
  batch_id: string;
  operator: string;
  user_count: number;
  /** In the token's smallest unit, as digits: a uint256 fits no number type. */
  total: string;
  tx_hash: string;
  block_number: BigintColumn;
}

/** The credit of a user in a batch. */
export interface ReferralCreditTable {
  tx_hash: string;
  ordinal: number;
  batch_id: string;
  address: string;
  amount: string;
  credited_at: Date;
}

export interface ReferralClaimTable {
  tx_hash: string;
  ordinal: number;
  address: string;
  amount: string;
  nonce: BigintColumn;
  claimed_at: Date;
}

/** The discount last sent to the engine, for wallets with an account; without a row it is 0. */
export interface ReferralDiscountTable {
  trader: string;
  discount_bps: number;
  /** The number of times it was sent; part of the command's reference. */
  version: number;
}

/** The lines of a payout's reference, fixed when it is first sent. */
export interface ReferralSyncTable {
  batch_ref: string;
  /** The digest of all its lines. */
  digest: string;
  created_at: Date;
}

export type ReferralTables = {
  referral_code: ReferralCodeTable;
  referral_trader: ReferralTraderTable;
  referral_affiliate: ReferralAffiliateTable;
  referral_tier_terms: ReferralTierTermsTable;
  referral_batch: ReferralBatchTable;
  referral_credit: ReferralCreditTable;
  referral_claim: ReferralClaimTable;
  referral_discount: ReferralDiscountTable;
  referral_sync: ReferralSyncTable;
};

export type ReferralDb = Kysely<KernelTables & ReferralTables>;
export type ReferralTx = Transaction<KernelTables & ReferralTables>;

export const referralDb = ({ db }: Pick<Database, "db">): ReferralDb => db.$extendTables<ReferralTables>();
export const referralTx = (tx: Tx): ReferralTx => tx.$extendTables<ReferralTables>() as ReferralTx;
