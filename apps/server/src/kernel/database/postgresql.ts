import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { BoundedPool } from "./bounded-pool.ts";
import type { Database } from "./database.ts";
import { guardedDialect } from "./guarded-dialect.ts";
import { pingWithin } from "./ping.ts";
import type { KernelTables } from "./tables.ts";
import { parserOf, SESSION_SETTINGS_SQL } from "./type-parsers.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** A statement that takes this long is stuck. Migrations lift the limit for themselves. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** A transaction awaits only its own statements, so an idle one is an error; the server ends it. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** By then the server has ended any statement and reported it: a silent connection is dead. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;

export interface PostgresqlOptions {
  readonly onBackgroundError?: ((error: Error) => void) | undefined;
  /** For tests: how long a silent connection is kept. */
  readonly silence_ms?: number;
}

/** The URL without user, password and parameters, which may contain secrets. */
function describe(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return "PostgreSQL";
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host || "the local socket"}${pathname}`;
}

export async function openPostgresql(databaseUrl: string, options: PostgresqlOptions = {}): Promise<Database> {
  const description = describe(databaseUrl);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: "bourse",
    types: { getTypeParser: parserOf },
    onConnect: (client) => client.query(SESSION_SETTINGS_SQL),
  });
  // Without a listener, the server closing a connection would end this process. The pool listens to connections only while they are
  // idle, so each also gets a listener while it is in use; its statement fails by itself.
  pool.on("error", (error) => options.onBackgroundError?.(error));
  pool.on("connect", (client) => client.on("error", () => undefined));
  const bounded = new BoundedPool(pool, options.silence_ms ?? SILENCE_TIMEOUT_MS);
  const db = new Kysely<KernelTables>({ dialect: guardedDialect(new PostgresDialect({ pool: bounded })) });
  try {
    await pingWithin(CONNECT_TIMEOUT_MS, db);
  } catch (cause) {
    await db.destroy();
    throw new Error(`${description} cannot be used: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  return {
    kind: "postgresql",
    db,
    description,
    ping: (timeout_ms) => pingWithin(timeout_ms, db),
    close: () => db.destroy(),
  };
}
