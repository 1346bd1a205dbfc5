import type { PayoutTransaction } from "@bourse/api";
import { type Selectable, sql, type Updateable } from "kysely";
import type { PageSize } from "../../kernel/pages.ts";
import { MAX_LINES_PER_PART } from "../../referral/index.ts";
import { refusals } from "../refusals.ts";
import type { BrokerDb, BrokerTx, PayoutBatchTable, PayoutPayeeTable } from "../tables.ts";

export type BatchRow = Selectable<PayoutBatchTable>;
export type PayeeRow = Selectable<PayoutPayeeTable>;

export async function findBatch(db: BrokerDb, id: string): Promise<BatchRow> {
  const row = await db.selectFrom("payout_batch").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw refusals.notFound("payout batch");
  return row;
}

/** Locks the batch until the transaction ends, against the projector too. */
export async function lockBatch(tx: BrokerTx, id: string): Promise<BatchRow> {
  const row = await tx.selectFrom("payout_batch").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (row === undefined) throw refusals.notFound("payout batch");
  return row;
}

export async function changeBatch(
  tx: BrokerTx,
  id: string,
  change: Updateable<PayoutBatchTable>,
  now: Date,
): Promise<BatchRow> {
  return await tx
    .updateTable("payout_batch")
    .set({ ...change, updated_at: now })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ordered by address. */
export async function payeesOf(db: BrokerDb, batchId: string): Promise<PayeeRow[]> {
  return await db.selectFrom("payout_payee").selectAll().where("batch_id", "=", batchId).orderBy("payee").execute();
}

/** The payees of a batch, by address. */
export const payeeList = (db: BrokerDb, batchId: string, size: PageSize) => ({
  name: ["payout-payees", batchId],
  size,
  order: { payee: "text" } as const,
  select: () => db.selectFrom("payout_payee").selectAll().where("batch_id", "=", batchId),
});

export const batchList = (db: BrokerDb, size: PageSize) => ({
  name: ["payout-batches"],
  size,
  order: { created_at: "timestamptz", id: "uuid" } as const,
  select: () => db.selectFrom("payout_batch").selectAll(),
});

/** Batches that are being paid, oldest first. */
export async function payingBatches(db: BrokerDb, most: number): Promise<string[]> {
  const query = db.selectFrom("payout_batch").select("id").where("status", "=", "paying").orderBy("created_at");
  return (await query.orderBy("id").limit(most).execute()).map(({ id }) => id);
}

interface SyncRow {
  readonly batch_id: string;
  readonly tx_hash: string;
  readonly part: number;
  readonly payees: number;
}

/** The transactions that paid the batches, in order. */
export async function transactionsOf(
  db: BrokerDb,
  batches: readonly Pick<BatchRow, "id" | "vault_tx_hash" | "outside_tx_hash" | "payee_count" | "way">[],
): Promise<Map<string, PayoutTransaction[]>> {
  const found = new Map<string, PayoutTransaction[]>(batches.map(({ id }) => [id, []]));
  for (const { id, vault_tx_hash, outside_tx_hash, payee_count } of batches) {
    if (vault_tx_hash !== null) found.get(id)?.push({ tx_hash: vault_tx_hash, kind: "vault_payout" });
    if (outside_tx_hash !== null) {
      found.get(id)?.push({ tx_hash: outside_tx_hash, kind: "outside", payees: payee_count });
    }
  }
  const onChain = batches.filter(({ way }) => way === "chain").map(({ id }) => id);
  for (const { batch_id, ...part } of await syncedParts(db, onChain)) {
    found.get(batch_id)?.push({ kind: "sync", ...part });
  }
  return found;
}

/** Payees are split into parts of equal size in the order of their addresses. */
async function syncedParts(db: BrokerDb, batchIds: readonly string[]): Promise<SyncRow[]> {
  if (batchIds.length === 0) return [];
  const { rows } = await sql<SyncRow>`
    select batch_id, tx_hash, part::int as part, count(*)::int as payees
    from (
      select batch_id, tx_hash,
        (row_number() over (partition by batch_id order by payee) - 1) / ${MAX_LINES_PER_PART}::int + 1 as part
      from payout_payee where batch_id = any(${[...batchIds]}::uuid[])
    ) as placed
    where tx_hash is not null
    group by batch_id, part, tx_hash
    order by batch_id, part`.execute(db);
  return rows;
}
