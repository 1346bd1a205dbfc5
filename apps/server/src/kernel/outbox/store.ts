/** The dispatcher's SQL. */
import { type NotNull, sql } from "kysely";
import type { Db, Tx } from "../database/database.ts";
import { lockInTransaction } from "../database/locks.ts";
import type { JsonValue } from "../database/tables.ts";

/** A message for the receiver, which keeps the last number it applied and ignores any that is not greater. */
export interface NumberedMessage {
  readonly seq: bigint;
  readonly topic: string;
  readonly ref: string;
  readonly payload: JsonValue;
}

/** Stores the last number, so that numbering outlives the rows. As text, because JSON numbers lose digits. */
const LAST_SEQ_KEY = "outbox.last_dispatch_seq";

export async function lastSeq(db: Db): Promise<bigint> {
  const row = await db.selectFrom("kernel_state").select("value").where("key", "=", LAST_SEQ_KEY).executeTakeFirst();
  return row === undefined ? 0n : BigInt(String(row.value));
}

/**
 * Gives the next numbers to committed messages, in the order of their ids, and returns how many. A message that was committed late,
 * with a smaller id than a numbered one, gets the next number: there are no gaps and no duplicates, because the numbers and the
 * last number change together under one lock.
 */
export async function numberMessages(db: Db, limit: number, now: Date): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    await lockInTransaction(tx, "outbox-dispatch");
    const last = await lastSeq(tx);
    const { numAffectedRows = 0n } = await sql`
      update outbox set dispatch_seq = ${last}::bigint + due.position
      from (
        select id, row_number() over (order by id) as position
        from (select id from outbox where dispatch_seq is null order by id limit ${limit}) as undispatched
      ) as due
      where outbox.id = due.id`.execute(tx);
    if (numAffectedRows === 0n) return 0;
    await setLastSeq(tx, last + numAffectedRows, now);
    return Number(numAffectedRows);
  });
}

/** LOG-3: the last number that was given, where the log says it. The dispatcher does not run meanwhile. */
export async function setLastSeq(tx: Tx, seq: bigint, now: Date): Promise<void> {
  const value = JSON.stringify(String(seq));
  await tx
    .insertInto("kernel_state")
    .values({ key: LAST_SEQ_KEY, value, updated_at: now })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at: now }))
    .execute();
}

export async function undeliveredMessages(db: Db, limit: number): Promise<NumberedMessage[]> {
  const rows = await db
    .selectFrom("outbox")
    .select(["dispatch_seq", "topic", "ref", "payload"])
    .where("dispatch_seq", "is not", null)
    .where("delivered_at", "is", null)
    .orderBy("dispatch_seq")
    .limit(limit)
    .$narrowType<{ dispatch_seq: NotNull }>()
    .execute();
  return rows.map(({ dispatch_seq, ...message }) => ({ seq: dispatch_seq, ...message }));
}

export async function markDelivered(db: Db, first: bigint, last: bigint, now: Date): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ delivered_at: now })
    .where("dispatch_seq", ">=", first)
    .where("dispatch_seq", "<=", last)
    .execute();
}

/** The number of undelivered messages, and the number up to which all are delivered; read at one instant. */
export async function deliveryState(db: Db): Promise<{ pending: number; lastSeq: bigint }> {
  const { rows } = await sql<{ pending: bigint; last: bigint }>`
    select count(*) as pending,
           coalesce(min(dispatch_seq) - 1,
                    (select (value #>> '{}')::bigint from kernel_state where key = ${LAST_SEQ_KEY}), 0) as last
    from outbox where delivered_at is null`.execute(db);
  const { pending = 0n, last = 0n } = rows[0] ?? {};
  return { pending: Number(pending), lastSeq: last };
}

/** The number of waiting messages, and the age of the oldest. Reads two small indexes only, however many were delivered. */
export async function waitingMessages(db: Db): Promise<{ waiting: number; oldest_at: Date | null }> {
  const { rows } = await sql<{ waiting: bigint; oldest_at: Date | null }>`
    select count(*) as waiting, min(created_at) as oldest_at from (
      select created_at from outbox where dispatch_seq is null
      union all
      select created_at from outbox where dispatch_seq is not null and delivered_at is null
    ) as undelivered`.execute(db);
  const { waiting = 0n, oldest_at = null } = rows[0] ?? {};
  return { waiting: Number(waiting), oldest_at };
}
