import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { EventRow } from "./event-batch.ts";
import { streamsDb } from "./tables.ts";

/** How far private events are stored. */
export interface EventCursor {
  /** All events up to this command are stored. */
  readonly command_number: number;
  /** No event has a higher number. */
  readonly last_seq: number;
  /** Events up to this number were never stored, for any account. */
  readonly floor_seq: number;
}

export interface StoredEvents {
  /** Rows that end after the requested number, oldest first. */
  readonly rows: readonly EventRow[];
  /** Events of this account up to this number were removed; 0 for none. */
  readonly floor_seq: number;
}

/** Stores private events beyond the life of the process. */
export interface EventStore {
  /** If nothing was ever stored, stores and returns `first`. */
  load(first: EventCursor): Promise<EventCursor>;
  /**
   * Writes rows and cursor in one transaction, only if the cursor is at `from`, so that nothing is stored twice. An
   * existing row stays: an event without a command may be written again, because it does not move the cursor.
   */
  write(rows: readonly EventRow[], from: number, cursor: EventCursor): Promise<void>;
  /** At maxRows `maxRows` rows. */
  read(account: number, after_seq: number, maxRows: number): Promise<StoredEvents>;
  lastSeq(account: number): Promise<number>;
  /** Removes rows up to this time; returns their number. */
  prune(until_ms: number): Promise<number>;
}

const MAX_ROWS_PER_STATEMENT = 1_000;
const MAX_ROWS_PER_PRUNE = 10_000;

export function createEventStore(database: Pick<Database, "db">): EventStore {
  const db = streamsDb(database);
  return {
    async load(first) {
      const row = await db.selectFrom("exchange_private_cursor").selectAll().executeTakeFirst();
      if (row === undefined) {
        await db.insertInto("exchange_private_cursor").values(first).execute();
        return first;
      }
      const { command_number, last_seq, floor_seq } = row;
      return {
        command_number: Number(command_number),
        last_seq: Number(last_seq),
        floor_seq: Number(floor_seq),
      };
    },

    async write(rows, from, cursor) {
      await db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("exchange_private_cursor")
          .set(cursor)
          .where("command_number", "=", BigInt(from))
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) throw new Error(`private events are not stored up to command ${from}`);
        for (let at = 0; at < rows.length; at += MAX_ROWS_PER_STATEMENT) {
          await tx
            .insertInto("exchange_private_event")
            .values(rows.slice(at, at + MAX_ROWS_PER_STATEMENT))
            .onConflict((conflict) => conflict.columns(["account", "last_seq"]).doNothing())
            .execute();
        }
      });
    },

    async read(account, after_seq, maxRows) {
      const rows = await db
        .selectFrom("exchange_private_event")
        .selectAll()
        .where("account", "=", account)
        .where("last_seq", ">", BigInt(after_seq))
        .orderBy("last_seq")
        .limit(maxRows)
        .execute();
      const floor = await db
        .selectFrom("exchange_private_floor")
        .select("seq")
        .where("account", "=", account)
        .executeTakeFirst();
      return {
        rows: rows.map((row) => ({
          account: row.account,
          first_seq: Number(row.first_seq),
          last_seq: Number(row.last_seq),
          last_ms: Number(row.last_ms),
          events: row.events,
        })),
        floor_seq: Number(floor?.seq ?? 0),
      };
    },

    async lastSeq(account) {
      const { last_seq } = await db
        .selectFrom("exchange_private_event")
        .select(({ fn }) => fn.max("last_seq").as("last_seq"))
        .where("account", "=", account)
        .executeTakeFirstOrThrow();
      return Number(last_seq ?? 0);
    },

    async prune(until_ms) {
      for (let removed = 0; ; ) {
        const { rows } = await sql<{ removed: bigint }>`
        with gone as (
          delete from exchange_private_event where (account, last_seq) in (
            select account, last_seq from exchange_private_event
            where last_ms <= ${until_ms} order by last_ms limit ${MAX_ROWS_PER_PRUNE})
          returning account, last_seq
        ), floors as (
          insert into exchange_private_floor (account, seq)
          select account, max(last_seq) from gone group by account
          on conflict (account) do update set seq = greatest(exchange_private_floor.seq, excluded.seq)
        )
        select count(*) as removed from gone`.execute(db);
        const gone = Number(rows[0]?.removed ?? 0);
        removed += gone;
        if (gone < MAX_ROWS_PER_PRUNE) return removed;
      }
    },
  };
}
