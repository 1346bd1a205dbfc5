import type { ColumnType, GeneratedAlways, Selectable } from "kysely";

/** The values of a json or jsonb column. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * A json or jsonb column: read as a value, written as JSON text, because the driver would treat an array as an SQL array and a
 * string as encoded JSON.
 */
export type JsonColumn<T = JsonValue> = ColumnType<T, string, string>;

/** The same for a nullable column. JSON's own null is not distinguished from an empty column. */
export type NullableJsonColumn<T = JsonValue> = ColumnType<T | null, string | null | undefined, string | null>;

/** A bigint column: read as bigint, written as bigint or as an integer. */
export type BigintColumn = ColumnType<bigint, bigint | number, bigint | number>;

/** Messages from the database to the engine, written in the transaction that decides them. */
export interface OutboxTable {
  id: GeneratedAlways<bigint>;
  topic: string;
  /** The unique reference; a second row with the same one is refused. */
  ref: string;
  payload: JsonColumn;
  created_at: Date;
  /** The number under which the message is delivered; null until the dispatcher has seen its transaction committed. */
  dispatch_seq: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
  delivered_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** The progress of each job. A job covers half-open windows that end at its watermark. */
export interface JobStateTable {
  name: string;
  watermark: Date;
  last_started_at: Date | null;
  last_finished_at: Date | null;
  last_error: string | null;
  consecutive_failures: ColumnType<number, number | undefined, number>;
  runs: ColumnType<bigint, bigint | number | undefined, bigint | number>;
}

/** Small facts of the platform, such as the offset of the development clock. */
export interface KernelStateTable {
  key: string;
  value: JsonColumn;
  updated_at: Date;
}

/** The audit log. Rows can be added and read, never changed (a trigger refuses). */
export interface AuditLogTable {
  seq: BigintColumn;
  at: Date;
  actor: string;
  role: string;
  ip: string | null;
  action: string;
  target: string | null;
  before: NullableJsonColumn;
  after: NullableJsonColumn;
  reason: string | null;
  request_id: string | null;
  prev_hash: string;
  hash: string;
}

export interface KernelTables {
  outbox: OutboxTable;
  job_state: JobStateTable;
  kernel_state: KernelStateTable;
  audit_log: AuditLogTable;
}

export type AuditLogRow = Selectable<AuditLogTable>;
