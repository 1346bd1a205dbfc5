/**
 * Messages from the database to the engine. A message is written in the transaction that decides it, so it exists if and only if
 * that decision does; the dispatcher (`dispatcher.ts`) delivers it afterwards, in order and never lost.
 */
import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Db, Tx } from "../database/database.ts";
import type { JsonValue } from "../database/tables.ts";

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
   * Removes messages delivered before the given time and returns their number. Their references are free again afterwards, so the
   * time must be before any possible repetition of a request. Numbering continues.
   */
  prune(db: Db, before: Date): Promise<number>;
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

    async prune(db, before) {
      let pruned = 0;
      for (;;) {
        const { numAffectedRows = 0n } = await sql`
          delete from outbox where id in
            (select id from outbox where delivered_at < ${before} limit ${PRUNE_BATCH})`.execute(db);
        pruned += Number(numAffectedRows);
        if (numAffectedRows < PRUNE_BATCH) return pruned;
      }
    },
  };
}
