import type { Kysely, Transaction } from "kysely";
import type { KernelTables } from "./tables.ts";

export type Db = Kysely<KernelTables>;
export type Tx = Transaction<KernelTables>;

/**
 * The platform's SQL database: a PostgreSQL server, or PostgreSQL embedded in this process. Both speak the same SQL and
 * give the same JavaScript values. Modules add their tables' types with `db.$extendTables<TheirTables>()`.
 */
export interface Database {
  readonly kind: "embedded" | "postgresql";
  readonly db: Db;
  /** Where it is, for logs and the health page; never holds the password. */
  readonly description: string;
  /** Rejects when the database does not answer in time. */
  ping(timeout_ms: number): Promise<void>;
  close(): Promise<void>;
}
