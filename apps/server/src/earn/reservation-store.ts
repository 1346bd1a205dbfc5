/** The SQL of ERN-4: the quota of a product that is still free for a user. */
import { sql } from "kysely";
import type { Tx } from "../kernel/database/database.ts";
import type { EarnDb, EarnTx } from "./tables.ts";

/** A reservation outlives its voucher by this time: a transaction mined in the last second must still be indexed. */
export const RESERVATION_GRACE_s = 60;

export interface Room {
  /** The amount of the user's own position. */
  readonly held: bigint;
  readonly subscribed: bigint;
  /** The amount that other users have reserved and not used. */
  readonly reservedByOthers: bigint;
  /** The deadline of the user's last voucher for the product; 0 if there was none. */
  readonly lastDeadline_s: number;
}

/** One statement, so that a subscription that is indexed concurrently is not missing from both sums. */
export async function readRoom(
  tx: EarnTx,
  wanted: {
    readonly productId: string;
    readonly chainProductId: bigint;
    readonly user: string;
    readonly now_s: number;
  },
): Promise<Room> {
  const { productId, chainProductId, user, now_s } = wanted;
  const { rows } = await sql<{ held: string; subscribed: string; others: string; last_deadline_s: bigint }>`
    select
      coalesce((select principal from earn_subscription
        where chain_product_id = ${chainProductId} and user_address = ${user}), 0) as held,
      coalesce((select subscribed from earn_chain_product where chain_product_id = ${chainProductId}), 0) as subscribed,
      coalesce((select sum(amount) from earn_reservation
        where product_id = ${productId} and user_address <> ${user} and not is_used
          and deadline_s + ${RESERVATION_GRACE_s}::bigint > ${now_s}::bigint), 0) as others,
      coalesce((select deadline_s from earn_reservation
        where product_id = ${productId} and user_address = ${user}), 0) as last_deadline_s`.execute(tx);
  const { held, subscribed, others, last_deadline_s } = rows[0]!;
  return {
    held: BigInt(held),
    subscribed: BigInt(subscribed),
    reservedByOthers: BigInt(others),
    lastDeadline_s: Number(last_deadline_s),
  };
}

export interface Reservation {
  readonly productId: string;
  readonly user: string;
  readonly amount: bigint;
  readonly deadline_s: number;
  readonly digest: string;
}

/** Replaces the user's last reservation for the product. */
export async function putReservation(tx: EarnTx, reservation: Reservation): Promise<void> {
  const { productId: product_id, user: user_address, amount, deadline_s, digest } = reservation;
  const values = { amount, deadline_s, digest, is_used: false };
  await tx
    .insertInto("earn_reservation")
    .values({ product_id, user_address, ...values })
    .onConflict((conflict) => conflict.columns(["product_id", "user_address"]).doUpdateSet(values))
    .execute();
}

/** SEC-11: those of these wallets that have, or had, a voucher. */
export async function walletsWithReservation(tx: Tx, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct user_address as address from earn_reservation
    where user_address = any(${addresses}::text[])`.execute(tx);
  return rows.map(({ address }) => address);
}

/** By product; products without reservations are omitted. */
export async function reservedAmounts(
  db: EarnDb,
  productIds: readonly string[],
  now_s: number,
): Promise<Map<string, bigint>> {
  if (productIds.length === 0) return new Map();
  const { rows } = await sql<{ product_id: string; reserved: string }>`
    select product_id, sum(amount) as reserved from earn_reservation
    where product_id = any(${productIds}::uuid[]) and not is_used
      and deadline_s + ${RESERVATION_GRACE_s}::bigint > ${now_s}::bigint
    group by product_id`.execute(db);
  return new Map(rows.map(({ product_id, reserved }) => [product_id, BigInt(reserved)]));
}
