import { type Selectable, sql } from "kysely";
import { refusals } from "../refusals.ts";
import type { BonusBatchTable, BonusCodeTable, BonusDb, BonusTx } from "../tables.ts";

export type BatchRow = Selectable<BonusBatchTable>;

export async function findBatch(db: BonusDb, id: string): Promise<BatchRow> {
  const row = await db.selectFrom("bonus_batch").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw refusals.batchNotFound();
  return row;
}

export interface NewCodes {
  readonly batch_id: string;
  readonly request_id: string;
  readonly amount_micros: bigint;
  readonly expires_at: Date;
  readonly now: Date;
  /** Ordered by their index within the request. */
  readonly hashes: readonly Buffer[];
}

export async function insertCodes(tx: BonusTx, codes: NewCodes): Promise<void> {
  const { batch_id, request_id, amount_micros, expires_at, now } = codes;
  const hashes = codes.hashes.map((hash) => hash.toString("hex"));
  await sql`
    insert into bonus_code (code_hash, batch_id, request_id, place, amount_micros, expires_at, created_at)
    select decode(hash, 'hex'), ${batch_id}::uuid, ${request_id}, place - 1, ${amount_micros}::bigint,
      ${expires_at}::timestamptz, ${now}::timestamptz
    from unnest(${hashes}::text[]) with ordinality as code (hash, place)`.execute(tx);
}

/** The hash of the first code of the request. */
export async function firstHashOf(db: BonusDb, request_id: string): Promise<Buffer> {
  const { code_hash } = await db
    .selectFrom("bonus_code")
    .select("code_hash")
    .where("request_id", "=", request_id)
    .where("place", "=", 0)
    .executeTakeFirstOrThrow();
  return code_hash;
}

/** Ends the batch's unused codes and returns their number. */
export async function endCodes(
  tx: BonusTx,
  batch_id: string,
  change: { readonly status: "expired" | "void"; readonly expires_at?: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("bonus_code")
    .set(change)
    .where("batch_id", "=", batch_id)
    .where("status", "=", "unused")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks at most `most` expired codes and returns their number. */
export async function expireDue(tx: BonusTx, at: Date, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update bonus_code set status = 'expired'
    where code_hash in (
      select code_hash from bonus_code where status = 'unused' and expires_at <= ${at}::timestamptz
      order by expires_at limit ${most}::int
    )`.execute(tx);
  return Number(numAffectedRows);
}

export type CodeRow = Selectable<BonusCodeTable>;

/** Locks a code: no other transaction can use or end it until this one ends. */
export const lockCode = (tx: BonusTx, code_hash: Buffer): Promise<CodeRow | undefined> =>
  tx.selectFrom("bonus_code").selectAll().where("code_hash", "=", code_hash).forUpdate().executeTakeFirst();

export async function markRedeemed(tx: BonusTx, code_hash: Buffer, redeemed_by: string, at: Date): Promise<void> {
  await tx
    .updateTable("bonus_code")
    .set({ status: "redeemed", redeemed_by, redeemed_at: at })
    .where("code_hash", "=", code_hash)
    .execute();
}
