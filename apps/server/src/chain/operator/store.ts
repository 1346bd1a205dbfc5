/** The operator's SQL. Each function is one short transaction, without network calls inside. */
import type { Insertable } from "kysely";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { Status } from "./status.ts";
import type { AttemptRow, ChainTransactionTable, OperatorDb, TransactionRow } from "./tables.ts";

export type NewAttempt = Omit<AttemptRow, "ref" | "number">;

/** A transaction without a nonce. */
export interface Draft {
  readonly ref: string;
  readonly chainId: number;
  readonly sender: string;
  readonly to: string;
  readonly data: string;
  readonly value_wei: bigint;
  readonly gasLimit: bigint;
  /** The first free nonce on the chain; stored transactions may have used more. */
  readonly chainNonce: number;
}

export async function findTransaction(db: OperatorDb, ref: string): Promise<TransactionRow | undefined> {
  return await db.selectFrom("chain_transaction").selectAll().where("ref", "=", ref).executeTakeFirst();
}

/** Transactions without a known outcome, in the order of their nonces. */
export async function openTransactions(db: OperatorDb, chainId: number): Promise<TransactionRow[]> {
  return await db
    .selectFrom("chain_transaction")
    .selectAll()
    .where("chain_id", "=", BigInt(chainId))
    .where("status", "in", ["signed", "sent"])
    .orderBy("sender")
    .orderBy("nonce")
    .execute();
}

/** Transactions recorded as mined although the sender's nonce on the chain is not that high. */
export async function minedFrom(
  db: OperatorDb,
  { chainId, sender, nonce }: { chainId: number; sender: string; nonce: number },
): Promise<TransactionRow[]> {
  return await db
    .selectFrom("chain_transaction")
    .selectAll()
    .where("chain_id", "=", BigInt(chainId))
    .where("sender", "=", sender)
    .where("nonce", ">=", BigInt(nonce))
    .where("status", "in", ["confirmed", "reverted"])
    .orderBy("nonce")
    .execute();
}

/** Newest first. */
export async function attemptsOf(db: OperatorDb, ref: string): Promise<AttemptRow[]> {
  return await db.selectFrom("chain_attempt").selectAll().where("ref", "=", ref).orderBy("number", "desc").execute();
}

/**
 * Gives the draft the next nonce and stores it with its signed bytes, so that after a crash these bytes and no others are sent.
 * Concurrent processes wait for each other. Returns the existing transaction if the reference is known.
 */
export async function recordTransaction(
  db: OperatorDb,
  draft: Draft,
  now: Date,
  sign: (nonce: number) => Promise<NewAttempt>,
): Promise<{ readonly row: TransactionRow; readonly isNew: boolean }> {
  return await db.transaction().execute(async (tx) => {
    await lockInTransaction(tx, `chain-operator:${draft.chainId}:${draft.sender}`);
    const known = await findTransaction(tx, draft.ref);
    if (known !== undefined) return { row: known, isNew: false };
    const { last } = await tx
      .selectFrom("chain_transaction")
      .select(({ fn }) => fn.max("nonce").as("last"))
      .where("chain_id", "=", BigInt(draft.chainId))
      .where("sender", "=", draft.sender)
      .executeTakeFirstOrThrow();
    const nonce = Math.max(draft.chainNonce, last === null ? 0 : Number(last) + 1);
    const attempt = await sign(nonce);
    const values: Insertable<ChainTransactionTable> = {
      ref: draft.ref,
      chain_id: BigInt(draft.chainId),
      sender: draft.sender,
      nonce,
      to_address: draft.to,
      data: draft.data,
      value_wei: draft.value_wei.toString(),
      gas_limit: draft.gasLimit,
      status: "signed",
      hash: attempt.hash,
      created_at: now,
      updated_at: now,
    };
    const row = await tx.insertInto("chain_transaction").values(values).returningAll().executeTakeFirstOrThrow();
    await tx
      .insertInto("chain_attempt")
      .values({ ...attempt, ref: draft.ref, number: 1 })
      .execute();
    return { row, isNew: true };
  });
}

/** Stores another attempt at the same nonce before it is sent. */
export async function recordAttempt(
  db: OperatorDb,
  { ref, number, attempt, now }: { ref: string; number: number; attempt: NewAttempt; now: Date },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto("chain_attempt")
      .values({ ...attempt, ref, number })
      .execute();
    await tx
      .updateTable("chain_transaction")
      .set({ hash: attempt.hash, updated_at: now })
      .where("ref", "=", ref)
      .execute();
  });
}

export interface Change {
  readonly status: Status;
  readonly now: Date;
  readonly last_error?: string | null;
  /** The block it was mined in; removed if it was not mined. */
  readonly mined?: { readonly hash: string; readonly block_number: bigint; readonly block_hash: string };
}

/** Changes a transaction, if it still has the status on which the change was decided. */
export async function changeTransaction(db: OperatorDb, row: TransactionRow, change: Change): Promise<void> {
  const { status, now, mined, last_error } = change;
  await db
    .updateTable("chain_transaction")
    .set({
      status,
      updated_at: now,
      ...(last_error === undefined ? {} : { last_error }),
      ...(mined ?? { block_number: null, block_hash: null }),
    })
    .where("ref", "=", row.ref)
    .where("status", "=", row.status)
    .execute();
}
