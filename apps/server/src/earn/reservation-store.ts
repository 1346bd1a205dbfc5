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
  /** The amount that other users have reserved and not used, without those that nothing stands behind. */
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
    /** Digests of reservations that nothing stands behind. */
    readonly uncovered: readonly string[];
  },
): Promise<Room> {
  const { productId, chainProductId, user, now_s, uncovered } = wanted;
  const { rows } = await sql<{ held: string; subscribed: string; others: string; last_deadline_s: bigint }>`
    select
      coalesce((select principal from earn_subscription
        where chain_product_id = ${chainProductId} and user_address = ${user}), 0) as held,
      coalesce((select subscribed from earn_chain_product where chain_product_id = ${chainProductId}), 0) as subscribed,
      coalesce((select sum(amount) from earn_reservation
        where product_id = ${productId} and user_address <> ${user} and not is_used
          and deadline_s + ${RESERVATION_GRACE_s}::bigint > ${now_s}::bigint
          and digest <> all(${uncovered}::text[])), 0) as others,
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

/** A reservation that is in somebody's way. */
export interface OtherReservation {
  readonly digest: string;
  readonly user: string;
  readonly reserved_s: number;
  /** Its amount and those of the same wallet's earlier live reservations, of all products: the same money stands behind one of them. */
  readonly needed: bigint;
}

/** More than a wallet in the way of another needs to have read. */
const MAX_OTHERS = 1_000;
/** Of vouchers whose row does not say when they were asked for. */
const LIFE_s = 1_800;

/** Other users' live reservations of a product, the largest first. */
export async function reservationsOfOthers(
  tx: EarnTx,
  { productId, user, now_s }: { readonly productId: string; readonly user: string; readonly now_s: number },
): Promise<OtherReservation[]> {
  const { rows } = await sql<{ digest: string; user: string; reserved_s: bigint; needed: string }>`
    with live as (
      select product_id, user_address, digest, amount, coalesce(reserved_s, deadline_s - ${LIFE_s}::bigint) as reserved_s
      from earn_reservation
      where not is_used and deadline_s + ${RESERVATION_GRACE_s}::bigint > ${now_s}::bigint
        and user_address in (select user_address from earn_reservation
          where product_id = ${productId} and not is_used and deadline_s + ${RESERVATION_GRACE_s}::bigint > ${now_s}::bigint)
    ), summed as (
      select *, sum(amount) over (partition by user_address order by reserved_s, product_id) as needed from live
    )
    select digest, user_address as "user", reserved_s, needed from summed
    where product_id = ${productId} and user_address <> ${user}
    order by amount desc, digest limit ${MAX_OTHERS}`.execute(tx);
  return rows.map((row) => ({ ...row, reserved_s: Number(row.reserved_s), needed: BigInt(row.needed) }));
}

export interface Reservation {
  readonly productId: string;
  readonly user: string;
  readonly amount: bigint;
  readonly deadline_s: number;
  readonly digest: string;
  readonly reserved_s: number;
}

/** Replaces the user's last reservation for the product. */
export async function putReservation(tx: EarnTx, reservation: Reservation): Promise<void> {
  const { productId: product_id, user: user_address, amount, deadline_s, digest, reserved_s } = reservation;
  const values = { amount, deadline_s, digest, reserved_s, is_used: false };
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
