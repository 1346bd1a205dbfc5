import {
  type AccountDirectory,
  checkDatabase,
  checkNotBehind,
  type Exchange,
  readCursor,
} from "../../exchange/index.ts";
import type { Database, Db } from "../../kernel/database/database.ts";
import { DatabaseUnavailable } from "../../kernel/database/unavailable.ts";
import type { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import { StartRefusal } from "../../kernel/start-refusal.ts";

export interface ServerChangeOptions {
  readonly database: Database;
  readonly exchange: Exchange;
  readonly directory: AccountDirectory;
  /** Every event up to this command was in the tables. */
  readonly projection: { readonly cursor: number };
  /** In the process that writes the tables and delivers the outbox. */
  readonly dispatcher?: OutboxDispatcher;
}

/**
 * LOG-2 after a failover: another server is used only if it has everything that this process knows from the one before. Memory goes
 * beyond the log where a wallet has a number that the engine has not seen yet. Meanwhile no statement of this process runs, so
 * once a delivery that was under way has ended, no command comes from the database.
 */
export function checkServerChanges({
  database,
  exchange,
  directory,
  projection,
  dispatcher,
}: ServerChangeOptions): void {
  const wallets = { of: (account: number) => directory.addressOf(account) };
  database.onServerChange?.(async (db) => {
    await dispatcher?.settled();
    await currentLog(exchange);
    const { state } = exchange.engine;
    const accounts = Math.max(state.accounts.count, directory.knownUpTo);
    const check = dispatcher === undefined ? checkNotBehind : checkDatabase;
    await check({ database: { db }, state, wallets, accounts });
    await checkTables(db, projection);
  });
}

/** While there is no leader, the database cannot be compared, and so not be used. */
async function currentLog(exchange: Exchange): Promise<void> {
  try {
    await exchange.current();
  } catch (error) {
    throw new DatabaseUnavailable("it cannot be compared with the log", error);
  }
}

/** What the tables lack can only be written by a start, which reads the log from there on. */
async function checkTables(db: Db, { cursor }: ServerChangeOptions["projection"]): Promise<void> {
  const { command_number } = await readCursor(db);
  if (command_number >= cursor) return;
  const ends = `its tables end with command ${command_number}, and had reached command ${cursor}`;
  throw new StartRefusal(
    `The database is older than it was: ${ends}. Start this process again; the worker's start writes what they lack.`,
  );
}
