/** The SQL of the mirror: one statement reads the rows that a range of events touches, and one writes them. */
import { sql } from "kysely";
import type { Address, Hex } from "viem";
import { type ChainProduct, type EarnEvent, lowerCase, Mirror, type Position, positionId } from "./mirror.ts";
import type { EarnDb, EarnTx, SubscriptionRow } from "./tables.ts";
import { columnsOf, termsOf } from "./term-columns.ts";

const MAX_ROWS_PER_STATEMENT = 5_000;

const toPaid = (hash: string | null, time_ms: bigint | null) =>
  hash === null ? undefined : { transactionHash: hash as Hex, time_ms: Number(time_ms) };

const toPosition = (row: SubscriptionRow): Position => ({
  id: row.id,
  chainProductId: row.chain_product_id,
  user: row.user_address as Address,
  principal: BigInt(row.principal),
  interest: BigInt(row.interest),
  tokenId: BigInt(row.nft_token_id),
  subscribeTxHash: row.subscribe_tx_hash as Hex,
  subscribed_ms: Number(row.subscribed_ms),
  claim: toPaid(row.claim_tx_hash, row.claimed_ms),
  refund: toPaid(row.refund_tx_hash, row.refunded_ms),
});

/** The contract's state of these products; products that it does not have are omitted. */
export async function loadChainProducts(db: EarnDb, ids: readonly bigint[]): Promise<ChainProduct[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("earn_chain_product")
    .selectAll()
    .where("chain_product_id", "=", sql<bigint>`any(${ids}::bigint[])`)
    .execute();
  return rows.map((row) => ({
    chainProductId: row.chain_product_id,
    terms: termsOf(row),
    status: row.status,
    subscriberCount: row.subscriber_count,
    subscribed: BigInt(row.subscribed),
    principal: BigInt(row.principal),
    interestOwed: BigInt(row.interest_owed),
    funded: BigInt(row.funded),
  }));
}

const hasUser = (event: EarnEvent) =>
  event.name === "Subscribed" || event.name === "Claimed" || event.name === "EmergencyClaimed";

/** Loads the part of the contract's state that these events touch. */
export async function loadMirror(tx: EarnTx, events: readonly EarnEvent[]): Promise<Mirror> {
  const mirror = new Mirror();
  const productIds = new Set<bigint>();
  const positionIds = new Set<string>();
  for (const event of events) {
    if ("productId" in event.args) productIds.add(event.args.productId);
    if (hasUser(event)) positionIds.add(positionId(event.args.productId, lowerCase(event.args.user)));
  }
  for (const product of await loadChainProducts(tx, [...productIds]))
    mirror.products.set(product.chainProductId, product);
  if (positionIds.size === 0) return mirror;
  const rows = await tx
    .selectFrom("earn_subscription")
    .selectAll()
    .where("id", "=", sql<string>`any(${[...positionIds]}::uuid[])`)
    .execute();
  for (const row of rows) mirror.positions.set(row.id, toPosition(row));
  return mirror;
}

async function saveProduct(tx: EarnTx, product: ChainProduct): Promise<void> {
  const changing = {
    ...columnsOf(product.terms),
    status: product.status,
    subscriber_count: product.subscriberCount,
    subscribed: product.subscribed,
    principal: product.principal,
    interest_owed: product.interestOwed,
    funded: product.funded,
  };
  await tx
    .insertInto("earn_chain_product")
    .values({ chain_product_id: product.chainProductId, ...changing })
    .onConflict((conflict) => conflict.column("chain_product_id").doUpdateSet(changing))
    .execute();
}

/** One array per column, so that thousands of rows are one statement. */
async function savePositions(tx: EarnTx, positions: readonly Position[]): Promise<void> {
  const column = <T>(value: (position: Position) => T) => positions.map(value);
  await sql`
    insert into earn_subscription
      (id, chain_product_id, user_address, principal, interest, nft_token_id, nft_status, subscribe_tx_hash,
       subscribed_ms, claim_tx_hash, claimed_ms, refund_tx_hash, refunded_ms)
    select * from unnest(
      ${column(({ id }) => id)}::uuid[],
      ${column(({ chainProductId }) => chainProductId)}::bigint[],
      ${column(({ user }) => user)}::text[],
      ${column(({ principal }) => principal)}::numeric[],
      ${column(({ interest }) => interest)}::numeric[],
      ${column(({ tokenId }) => tokenId)}::numeric[],
      ${column(nftStatus)}::text[],
      ${column(({ subscribeTxHash }) => subscribeTxHash)}::text[],
      ${column(({ subscribed_ms }) => subscribed_ms)}::bigint[],
      ${column(({ claim }) => claim?.transactionHash ?? null)}::text[],
      ${column(({ claim }) => claim?.time_ms ?? null)}::bigint[],
      ${column(({ refund }) => refund?.transactionHash ?? null)}::text[],
      ${column(({ refund }) => refund?.time_ms ?? null)}::bigint[])
    on conflict (id) do update set
      principal = excluded.principal, interest = excluded.interest, nft_status = excluded.nft_status,
      claim_tx_hash = excluded.claim_tx_hash, claimed_ms = excluded.claimed_ms,
      refund_tx_hash = excluded.refund_tx_hash, refunded_ms = excluded.refunded_ms`.execute(tx);
}

/** ERN-7. */
function nftStatus({ claim, refund }: Position): "minted" | "redeemed" | "refunded" {
  if (claim !== undefined) return "redeemed";
  return refund === undefined ? "minted" : "refunded";
}

export async function saveMirror(tx: EarnTx, mirror: Mirror): Promise<void> {
  for (const product of mirror.products.values()) await saveProduct(tx, product);
  const positions = [...mirror.positions.values()];
  for (let at = 0; at < positions.length; at += MAX_ROWS_PER_STATEMENT) {
    await savePositions(tx, positions.slice(at, at + MAX_ROWS_PER_STATEMENT));
  }
  const removed = [...mirror.removedPositions];
  if (removed.length > 0) await sql`delete from earn_subscription where id = any(${removed}::uuid[])`.execute(tx);
  const gone = [...mirror.removedProducts];
  if (gone.length > 0) {
    await sql`delete from earn_chain_product where chain_product_id = any(${gone}::bigint[])`.execute(tx);
  }
}

/** ERN-4: a reservation ends with its subscription, and exists again when the subscription is reverted. */
export async function markVouchers(tx: EarnTx, digests: readonly Hex[], isUsed: boolean): Promise<void> {
  if (digests.length === 0) return;
  await sql`update earn_reservation set is_used = ${isUsed} where digest = any(${digests}::text[])`.execute(tx);
}

/** INV-5, ERN-10: over all products of the contract. */
export async function interestOwedInAll(db: EarnDb): Promise<bigint> {
  const { rows } = await sql<{ owed: string }>`
    select coalesce(sum(interest_owed), 0) as owed from earn_chain_product
    where status <> 'cancelled'`.execute(db);
  return BigInt(rows[0]!.owed);
}

/** INV-5: the principal of open positions, summed by product and by position. */
export async function principalInAll(db: EarnDb): Promise<{ readonly byProduct: bigint; readonly byPosition: bigint }> {
  const { rows } = await sql<{ by_product: string; by_position: string }>`
    select coalesce((select sum(principal) from earn_chain_product), 0) as by_product,
      coalesce((select sum(principal) from earn_subscription where nft_status = 'minted'), 0) as by_position`.execute(
    db,
  );
  return { byProduct: BigInt(rows[0]!.by_product), byPosition: BigInt(rows[0]!.by_position) };
}
