/**
 * Messages from the database to the engine. A message is written in the transaction that decides it, so it exists if and only if
 * that decision does; the dispatcher (`dispatcher.ts`) delivers it afterwards, in order and never lost.
 */
import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Db, Tx } from "../database/database.ts";
import { lockInTransaction } from "../database/locks.ts";
import type { JsonValue } from "../database/tables.ts";
import { edgeBehind, readEdge, writeEdge } from "./edge.ts";

export interface OutboxMessage {
  readonly topic: string;
  /** The unique reference, such as "bonus-grant:42"; a second message with the same reference is not written. */
  readonly ref: string;
  readonly payload: JsonValue;
}

export type Enqueued = { readonly duplicate: false; readonly id: bigint } | { readonly duplicate: true };

export interface Outbox {
  /**
   * Writes the message, unless one with the same reference exists; waits for a concurrent transaction that is writing one. The
   * transaction stays usable either way.
   */
  enqueue(tx: Tx, message: OutboxMessage): Promise<Enqueued>;
  /** Writes many messages, delivered in this order; their references must be new, else the transaction fails. */
  enqueueAll(tx: Tx, messages: readonly OutboxMessage[]): Promise<void>;
  /**
   * Removes the first messages, up to the first one that was not delivered before the given time, and returns how many. Moves
   * the edge with them (`edge.ts`). Their references are free again afterwards, so whoever sends a message must know by a row of its
   * own that it was sent. `referencesFrom` is the engine's last number from before references. Numbering continues.
   */
  prune(db: Db, before: Date, referencesFrom: number): Promise<number>;
}

const PRUNE_BATCH = 10_000;

export function createOutbox({ clock }: { readonly clock: Clock }): Outbox {
  return {
    async enqueue(tx, { topic, ref, payload }) {
      const row = await tx
        .insertInto("outbox")
        .values({ topic, ref, payload: JSON.stringify(payload), created_at: new Date(clock.now()) })
        .onConflict((conflict) => conflict.column("ref").doNothing())
        .returning("id")
        .executeTakeFirst();
      return row === undefined ? { duplicate: true } : { duplicate: false, id: row.id };
    },

    async enqueueAll(tx, messages) {
      if (messages.length === 0) return;
      const topics = messages.map(({ topic }) => topic);
      const refs = messages.map(({ ref }) => ref);
      const payloads = messages.map(({ payload }) => JSON.stringify(payload));
      await sql`
        insert into outbox (topic, ref, payload, created_at)
        select topic, ref, payload::jsonb, ${new Date(clock.now())}::timestamptz
        from unnest(${topics}::text[], ${refs}::text[], ${payloads}::text[]) with ordinality
          as message (topic, ref, payload, place)
        order by place`.execute(tx);
    },

    async prune(db, before, referencesFrom) {
      let pruned = 0;
      for (;;) {
        const removed = await db
          .transaction()
          .execute((tx) => pruneOnce(tx, before, referencesFrom, new Date(clock.now())));
        pruned += removed;
        if (removed < PRUNE_BATCH) return pruned;
      }
    },
  };
}

async function pruneOnce(tx: Tx, before: Date, referencesFrom: number, now: Date): Promise<number> {
  await lockInTransaction(tx, "outbox-prune");
  const edge = await readEdge(tx);
  const rows = await tx
    .selectFrom("outbox")
    .select(["dispatch_seq", "ref", "delivered_at"])
    .where("dispatch_seq", ">", BigInt(edge.number))
    .orderBy("dispatch_seq")
    .limit(PRUNE_BATCH)
    .execute();
  const kept = rows.findIndex(({ delivered_at }) => delivered_at === null || delivered_at >= before);
  const gone = (kept < 0 ? rows : rows.slice(0, kept)).map(({ dispatch_seq, ref }) => ({
    number: Number(dispatch_seq),
    ref,
  }));
  if (gone.length === 0) return 0;
  const moved = edgeBehind(edge, gone, referencesFrom);
  await tx.deleteFrom("outbox").where("dispatch_seq", "<=", BigInt(moved.number)).execute();
  await writeEdge(tx, moved, now);
  return gone.length;
}
