/** The referral program's SQL. */
import { sql } from "kysely";
import { type Hex, zeroHash } from "viem";
import type { ChainPlace } from "../chain/index.ts";
import type { Tx } from "../kernel/database/database.ts";
import type { ReferralDb, ReferralTx } from "./tables.ts";

const lower = (hex: string) => hex.toLowerCase();
const timeOf = ({ blockTime_ms }: ChainPlace) => new Date(blockTime_ms);

export async function addCode(tx: ReferralTx, code: Hex, owner: string): Promise<void> {
  await tx
    .insertInto("referral_code")
    .values({ code: lower(code), owner: lower(owner) })
    .execute();
}

export async function removeCode(tx: ReferralTx, code: Hex): Promise<void> {
  await tx.deleteFrom("referral_code").where("code", "=", lower(code)).execute();
}

/** The zero code means none. */
export async function setTraderCode(tx: ReferralTx, trader: string, code: Hex): Promise<void> {
  if (code === zeroHash) {
    await tx.deleteFrom("referral_trader").where("trader", "=", lower(trader)).execute();
    return;
  }
  const row = { trader: lower(trader), code: lower(code) };
  await tx
    .insertInto("referral_trader")
    .values(row)
    .onConflict((conflict) => conflict.column("trader").doUpdateSet({ code: row.code }))
    .execute();
}

export async function setAffiliateTier(tx: ReferralTx, affiliate: string, tier: number): Promise<void> {
  if (tier === 0) {
    await tx.deleteFrom("referral_affiliate").where("affiliate", "=", lower(affiliate)).execute();
    return;
  }
  await tx
    .insertInto("referral_affiliate")
    .values({ affiliate: lower(affiliate), tier })
    .onConflict((conflict) => conflict.column("affiliate").doUpdateSet({ tier }))
    .execute();
}

export async function setTierTerms(
  tx: ReferralTx,
  tier: number,
  terms: { readonly total_bps: number; readonly discount_share_bps: number },
): Promise<void> {
  if (terms.total_bps === 0 && terms.discount_share_bps === 0) {
    await tx.deleteFrom("referral_tier_terms").where("tier", "=", tier).execute();
    return;
  }
  await tx
    .insertInto("referral_tier_terms")
    .values({ tier, ...terms })
    .onConflict((conflict) => conflict.column("tier").doUpdateSet(terms))
    .execute();
}

export interface SyncedBatch {
  readonly batchId: Hex;
  readonly operator: string;
  readonly userCount: bigint;
  readonly total: bigint;
}

export async function addBatch(tx: ReferralTx, place: ChainPlace, batch: SyncedBatch): Promise<void> {
  const values = {
    batch_id: lower(batch.batchId),
    operator: lower(batch.operator),
    user_count: Number(batch.userCount),
    total: batch.total.toString(),
    tx_hash: lower(place.transactionHash),
    block_number: place.blockNumber,
  };
  await tx.insertInto("referral_batch").values(values).execute();
}

export async function removeBatch(tx: ReferralTx, batchId: Hex): Promise<void> {
  await tx.deleteFrom("referral_batch").where("batch_id", "=", lower(batchId)).execute();
}

export async function addCredit(
  tx: ReferralTx,
  place: ChainPlace,
  { batchId, user, amount }: { readonly batchId: Hex; readonly user: string; readonly amount: bigint },
): Promise<void> {
  const values = {
    tx_hash: lower(place.transactionHash),
    ordinal: place.ordinal,
    batch_id: lower(batchId),
    address: lower(user),
    amount: amount.toString(),
    credited_at: timeOf(place),
  };
  await tx.insertInto("referral_credit").values(values).execute();
}

export async function addClaim(
  tx: ReferralTx,
  place: ChainPlace,
  { user, amount, nonce }: { readonly user: string; readonly amount: bigint; readonly nonce: bigint },
): Promise<void> {
  const values = {
    tx_hash: lower(place.transactionHash),
    ordinal: place.ordinal,
    address: lower(user),
    amount: amount.toString(),
    nonce,
    claimed_at: timeOf(place),
  };
  await tx.insertInto("referral_claim").values(values).execute();
}

export async function removeMovement(
  tx: ReferralTx,
  table: "referral_credit" | "referral_claim",
  { transactionHash, ordinal }: ChainPlace,
): Promise<void> {
  await tx.deleteFrom(table).where("tx_hash", "=", lower(transactionHash)).where("ordinal", "=", ordinal).execute();
}

/** The credits of a batch and their transaction; undefined if the indexer has not seen it. */
export async function findBatch(db: ReferralDb, batchId: Hex) {
  const batch = await db
    .selectFrom("referral_batch")
    .select("tx_hash")
    .where("batch_id", "=", lower(batchId))
    .executeTakeFirst();
  if (batch === undefined) return undefined;
  const credits = await db
    .selectFrom("referral_credit")
    .select(["address", "amount"])
    .where("batch_id", "=", lower(batchId))
    .where("tx_hash", "=", batch.tx_hash)
    .orderBy("ordinal")
    .execute();
  return { tx_hash: batch.tx_hash as Hex, credits };
}

/**
 * The traders whose discounts may have changed: these traders, the traders of these affiliates, and those of affiliates of these
 * tiers.
 */
export interface Affected {
  readonly traders: readonly string[];
  readonly affiliates: readonly string[];
  readonly tiers: readonly number[];
}

export async function affectedTraders(tx: ReferralTx, { traders, affiliates, tiers }: Affected): Promise<string[]> {
  const referees = sql`
    select used.trader from referral_trader as used
    join referral_code as code on code.code = used.code
    left join referral_affiliate as affiliate on affiliate.affiliate = code.owner`;
  const parts = [sql`select unnest(${traders}::text[]) as trader`];
  if (affiliates.length > 0) parts.push(sql`${referees} where code.owner = any(${affiliates}::text[])`);
  if (tiers.length > 0) parts.push(sql`${referees} where coalesce(affiliate.tier, 0) = any(${tiers}::int[])`);
  const { rows } = await sql<{ trader: string }>`${sql.join(parts, sql` union `)}`.execute(tx);
  return rows.map(({ trader }) => trader);
}

export interface DiscountState {
  readonly trader: string;
  /** REF-1: the trader's discount by the contract, rounded down to a basis point as the contract does. */
  readonly granted_bps: number;
  /** The discount last sent to the engine. */
  readonly told_bps: number;
  readonly version: number;
}

/** Traders with their codes, and the terms of the owners' tiers. */
const fromTraders = (traders: readonly string[]) => sql`
    from unnest(${traders}::text[]) as asked (trader)
    left join referral_trader as used on used.trader = asked.trader
    left join referral_code as code on code.code = used.code
    left join referral_affiliate as affiliate on affiliate.affiliate = code.owner
    left join referral_tier_terms as terms on code.code is not null and terms.tier = coalesce(affiliate.tier, 0)`;

export async function discountStates(tx: ReferralTx, traders: readonly string[]): Promise<DiscountState[]> {
  const { rows } = await sql<DiscountState>`
    select asked.trader,
           coalesce(terms.total_bps * terms.discount_share_bps / 10000, 0) as granted_bps,
           coalesce(told.discount_bps, 0) as told_bps,
           coalesce(told.version, 0) as version
    ${fromTraders(traders)}
    left join referral_discount as told on told.trader = asked.trader
    order by asked.trader`.execute(tx);
  return rows;
}

/** The reward of a code's owner on the trader's fees. */
export interface AffiliateTerms {
  readonly trader: string;
  /** Null without a code. */
  readonly affiliate: string | null;
  /** REF-1: the tier's rebate minus the trader's discount. */
  readonly reward_bps: number;
}

export async function affiliateTerms(tx: ReferralTx, traders: readonly string[]): Promise<AffiliateTerms[]> {
  const { rows } = await sql<AffiliateTerms>`
    select asked.trader,
           code.owner as affiliate,
           coalesce(terms.total_bps - terms.total_bps * terms.discount_share_bps / 10000, 0) as reward_bps
    ${fromTraders(traders)}
    order by asked.trader`.execute(tx);
  return rows;
}

export async function rememberDiscount(
  tx: ReferralTx,
  row: { readonly trader: string; readonly discount_bps: number; readonly version: number },
): Promise<void> {
  const { discount_bps, version } = row;
  await tx
    .insertInto("referral_discount")
    .values(row)
    .onConflict((conflict) => conflict.column("trader").doUpdateSet({ discount_bps, version }))
    .execute();
}

/** The digest stored for a payout's reference; stores the given one if the reference is new. */
export async function bindBatchRef(db: ReferralDb, batch_ref: string, digest: Hex, now: Date): Promise<string> {
  await db
    .insertInto("referral_sync")
    .values({ batch_ref, digest, created_at: now })
    .onConflict((conflict) => conflict.column("batch_ref").doNothing())
    .execute();
  const known = await db
    .selectFrom("referral_sync")
    .select("digest")
    .where("batch_ref", "=", batch_ref)
    .executeTakeFirstOrThrow();
  return known.digest;
}

/** SEC-11: those of these wallets that have used a code on chain. */
export async function tradersWithCode(tx: Tx, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ trader: string }>`
    select trader from referral_trader where trader = any(${addresses}::text[])`.execute(tx);
  return rows.map(({ trader }) => trader);
}
