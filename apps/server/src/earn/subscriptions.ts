import type { EarnSubscription, EarnSubscriptionList } from "@bourse/api";
import type { Database } from "../kernel/database/database.ts";
import { isUuid } from "../kernel/uuid.ts";
import { readPage } from "./products.ts";
import { refusals } from "./refusals.ts";
import { findSubscription, listSubscriptions, type OwnSubscription } from "./subscription-store.ts";
import { earnDb } from "./tables.ts";

const isoOf = (time_ms: bigint | null) => (time_ms === null ? null : new Date(Number(time_ms)).toISOString());

/** The action that is open to the user now, or the one that was done. */
function statusOf({ nft_status, chain_status }: OwnSubscription): EarnSubscription["status"] {
  if (nft_status === "redeemed") return "claimed";
  if (nft_status === "refunded") return "refunded";
  if (chain_status === "settled") return "claimable";
  return chain_status === "cancelled" ? "refundable" : "active";
}

/** ERN-10. */
function shown(row: OwnSubscription): EarnSubscription {
  const principal = BigInt(row.principal);
  const interest = BigInt(row.interest);
  const settleTime_s = row.subscribe_end_s + BigInt(row.duration_seconds);
  return {
    id: row.id,
    product_id: row.product_id,
    chain_product_id: Number(row.chain_product_id),
    user_address: row.user_address,
    principal: principal.toString(),
    interest: interest.toString(),
    total_return: (principal + interest).toString(),
    nft_token_id: row.nft_token_id,
    nft_status: row.nft_status,
    status: statusOf(row),
    subscribe_tx_hash: row.subscribe_tx_hash,
    subscribed_at: new Date(Number(row.subscribed_ms)).toISOString(),
    claimable_at: new Date(Number(settleTime_s) * 1_000).toISOString(),
    claimed: row.claim_tx_hash !== null,
    claim_tx_hash: row.claim_tx_hash,
    claimed_at: isoOf(row.claimed_ms),
    refund_tx_hash: row.refund_tx_hash,
    refunded_at: isoOf(row.refunded_ms),
  };
}

/** ERN-10: a wallet's own positions. */
export class Subscriptions {
  readonly #database: Pick<Database, "db">;

  constructor({ database }: { readonly database: Pick<Database, "db"> }) {
    this.#database = database;
  }

  /** Newest first. */
  async list(user: string, query: { page?: number; page_size?: number }): Promise<EarnSubscriptionList> {
    const { page, page_size, limit, offset } = readPage(query);
    const { rows, total } = await listSubscriptions(earnDb(this.#database), { user, limit, offset });
    return { subscriptions: rows.map(shown), total, page, page_size };
  }

  /** Another wallet's position is reported as not found. */
  async read(user: string, id: string): Promise<EarnSubscription> {
    const row = isUuid(id) ? await findSubscription(earnDb(this.#database), user, id) : undefined;
    if (row === undefined) throw refusals.subscriptionNotFound();
    return shown(row);
  }
}
