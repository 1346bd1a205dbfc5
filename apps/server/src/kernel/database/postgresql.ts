import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { BoundedPool } from "./bounded-pool.ts";
import type { Database, ServerCheck } from "./database.ts";
import { guardedDialect } from "./guarded-dialect.ts";
import { pingWithin } from "./ping.ts";
import { SameServer, serverOf } from "./same-server.ts";
import type { KernelTables } from "./tables.ts";
import { parserOf, SESSION_SETTINGS_SQL } from "./type-parsers.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** A statement that takes this long is stuck. Migrations lift the limit for themselves. */
const STATEMENT_TIMEOUT_MS = 60_000;
/** A transaction awaits only its own statements, so an idle one is an error; the server ends it. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** By then the server has ended any statement and reported it: a silent connection is dead. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** Between two checks of servers that went away again. */
const CHECK_PAUSE_MS = 1_000;

export interface PostgresqlOptions {
  readonly onBackgroundError?: ((error: Error) => void) | undefined;
  /** LOG-2: another server has answered, and the check of `onServerChange` has refused it. Nothing can use the database any more. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
  /** For tests: how long a silent connection is kept. */
  readonly silence_ms?: number;
}

/** The URL without user, password and parameters, which may contain secrets. */
function describe(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return "PostgreSQL";
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host || "the local socket"}${pathname}`;
}

interface Admission extends Pick<pg.PoolConfig, "max" | "stream"> {
  /** Rejects a connection that must not be used. */
  readonly admit: (client: pg.ClientBase) => Promise<void>;
}

function openPool(databaseUrl: string, options: PostgresqlOptions, { admit, ...config }: Admission) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    allowExitOnIdle: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    application_name: "bourse",
    types: { getTypeParser: parserOf },
    ...config,
    async onConnect(client) {
      await client.query(SESSION_SETTINGS_SQL);
      await admit(client);
    },
  });
  // Without a listener, the server closing a connection would end this process. The pool listens to connections only while they are
  // idle, so each also gets a listener while it is in use; its statement fails by itself.
  pool.on("error", (error) => options.onBackgroundError?.(error));
  pool.on("connect", (client) => client.on("error", () => undefined));
  const bounded = new BoundedPool(pool, options.silence_ms ?? SILENCE_TIMEOUT_MS);
  return new Kysely<KernelTables>({ dialect: guardedDialect(new PostgresDialect({ pool: bounded })) });
}

/** Runs a check on one connection to the given server. */
async function checkServer(databaseUrl: string, options: PostgresqlOptions, server: string, check: ServerCheck) {
  const db = openPool(databaseUrl, options, {
    max: 1,
    async admit(client) {
      if ((await serverOf(client)) === server) return;
      throw new DatabaseUnavailable("yet another server answers", undefined);
    },
  });
  try {
    await check(db);
  } finally {
    await db.destroy();
  }
}

export async function openPostgresql(databaseUrl: string, options: PostgresqlOptions = {}): Promise<Database> {
  const description = describe(databaseUrl);
  const sameServer = new SameServer({
    run: (server, check) => checkServer(databaseUrl, options, server, check),
    onRefused: options.onRefused ?? ((error) => options.onBackgroundError?.(error as Error)),
    pause_ms: CHECK_PAUSE_MS,
  });
  const db = openPool(databaseUrl, options, {
    stream: sameServer.stream,
    admit: (client) => sameServer.admit(client),
  });
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
    onServerChange: (check) => sameServer.checkWith(check),
  };
}
