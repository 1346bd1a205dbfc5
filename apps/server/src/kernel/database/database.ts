import type { Kysely, Transaction } from "kysely";
import type { KernelTables } from "./tables.ts";

export type Db = Kysely<KernelTables>;
export type Tx = Transaction<KernelTables>;

/** Compares the database behind new connections with what this process knows. Rejects if they do not belong together. */
export type ServerCheck = (db: Db) => Promise<void>;

/**
 * The platform's SQL database: a PostgreSQL server, or PostgreSQL embedded in this process. Both accept the same SQL and return the
 * same JavaScript values. Modules add their tables' types with `db.$extendTables<TheirTables>()`.
 */
export interface Database {
  readonly kind: "embedded" | "postgresql";
  readonly db: Db;
  /** The location, for logs and the health page, without the password. */
  readonly description: string;
  /** Rejects if the database does not answer in time. */
  ping(timeout_ms: number): Promise<void>;
  close(): Promise<void>;
  /** LOG-2, only of a server: a connection to another server, or to another run of it, is used only after this check has passed. */
  readonly onServerChange?: (check: ServerCheck) => void;
  /** Only of an embedded database in a folder: runs no statement until the action has read the folder, which is complete then. */
  readonly whileStill?: <Result>(action: (folder: string) => Promise<Result>) => Promise<Result>;
}
