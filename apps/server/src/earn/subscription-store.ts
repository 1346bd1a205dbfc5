/** The SQL of a wallet's own positions. */
import type { EarnDb, SubscriptionRow } from "./tables.ts";

export interface OwnSubscription extends SubscriptionRow {
  readonly product_id: string;
  readonly chain_status: "open" | "settled" | "cancelled";
  readonly subscribe_end_s: bigint;
  readonly duration_seconds: number;
}

const ownQuery = (db: EarnDb, user: string) =>
  db
    .selectFrom("earn_subscription as position")
    .innerJoin("earn_product as product", "product.chain_product_id", "position.chain_product_id")
    .innerJoin("earn_chain_product as chain", "chain.chain_product_id", "position.chain_product_id")
    .where("position.user_address", "=", user);

const selected = (query: ReturnType<typeof ownQuery>) =>
  query
    .selectAll("position")
    .select([
      "product.id as product_id",
      "chain.status as chain_status",
      "chain.subscribe_end_s",
      "chain.duration_seconds",
    ]);

/** Newest first. */
export async function listSubscriptions(
  db: EarnDb,
  { user, offset, limit }: { user: string; offset: number; limit: number },
): Promise<{ readonly rows: OwnSubscription[]; readonly total: number }> {
  const query = ownQuery(db, user);
  const rows = await selected(query)
    .orderBy("position.subscribed_ms", "desc")
    .orderBy("position.nft_token_id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  const { total } = await query.select(({ fn }) => fn.countAll<bigint>().as("total")).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

export async function findSubscription(db: EarnDb, user: string, id: string): Promise<OwnSubscription | undefined> {
  return await selected(ownQuery(db, user)).where("position.id", "=", id).executeTakeFirst();
}
