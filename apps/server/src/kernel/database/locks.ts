import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database, Tx } from "./database.ts";

/**
 * PostgreSQL's number of a lock: the first 8 bytes of SHA-256("bourse:" + name), big-endian, as a signed 64-bit integer. Processes
 * of every version must agree on it.
 */
export function lockId(name: string): bigint {
  return createHash("sha256").update(`bourse:${name}`).digest().readBigInt64BE(0);
}

/** Waits for the lock and holds it until the transaction ends. */
export async function lockInTransaction(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockId(name)})`.execute(tx);
}

async function tryLockInTransaction(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lockId(name)}) as locked`.execute(
    tx,
  );
  return rows[0]?.locked === true;
}

export interface JobLocks {
  /**
   * Runs `action` in a transaction while no other holder of the same name runs, in this process or another. Waiting for another
   * process is subject to the time limit of statements.
   */
  withLock<T>(name: string, action: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same, but returns `undefined` at once if the lock is taken. */
  tryWithLock<T>(name: string, action: (tx: Tx) => Promise<T>): Promise<T | undefined>;
}

/**
 * Named locks across processes. Inside this process a queue per name comes first, so that waiting holds no connection. A lock must
 * be taken outside any transaction and never within another lock: the embedded database has a single session, and a second
 * transaction inside the first would wait for it for ever.
 */
export function createJobLocks(database: Pick<Database, "db">): JobLocks {
  const tails = new Map<string, Promise<void>>();
  const current = new AsyncLocalStorage<{ name: string; held: boolean }>();

  async function inTurn<T>(name: string, action: () => Promise<T>): Promise<T> {
    const outer = current.getStore();
    if (outer?.held) throw new Error(`the lock ${name} was asked for inside the lock ${outer.name}`);
    const mine = { name, held: true };
    const done = Promise.withResolvers<void>();
    const before = tails.get(name);
    tails.set(name, done.promise);
    try {
      await before;
      return await current.run(mine, action);
    } finally {
      // Timers and tasks started inside the action outlive it and may take locks of their own.
      mine.held = false;
      done.resolve();
      if (tails.get(name) === done.promise) tails.delete(name);
    }
  }

  return {
    withLock: (name, action) =>
      inTurn(name, () =>
        database.db.transaction().execute(async (tx) => {
          await lockInTransaction(tx, name);
          return await action(tx);
        }),
      ),
    async tryWithLock(name, action) {
      if (tails.has(name)) return undefined;
      return await inTurn(name, () =>
        database.db.transaction().execute(async (tx) => {
          if (!(await tryLockInTransaction(tx, name))) return undefined;
          return await action(tx);
        }),
      );
    },
  };
}
