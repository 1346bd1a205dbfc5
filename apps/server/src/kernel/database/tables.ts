import type { ColumnType, GeneratedAlways, Selectable } from "kysely";

/** What a json or jsonb column can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * A json or jsonb column: read as a value, written as JSON text. Written as text because a bare array would be taken
 * for an SQL array, and a bare string for JSON that is already encoded.
 */
export type JsonColumn<T = JsonValue> = ColumnType<T, string, string>;

/** The same, for a column that may be empty. JSON's own null is not told apart from an empty column. */
export type NullableJsonColumn<T = JsonValue> = ColumnType<T | null, string | null | undefined, string | null>;

/** A bigint column: read as bigint, written as bigint or as a whole number. */
export type BigintColumn = ColumnType<bigint, bigint | number, bigint | number>;

/** Messages on their way from the database to the engine, written in the transaction that decides them. */
export interface OutboxTable {
  id: GeneratedAlways<bigint>;
  topic: string;
  /** Names the message once and for all; the second row with the same one is refused. */
  ref: string;
  payload: JsonColumn;
  created_at: Date;
  /** The number under which the message is delivered; none until its transaction has been seen committed. */
  dispatch_seq: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
  delivered_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** How far each job has come. A job covers half-open windows that end at its watermark. */
export interface JobStateTable {
  name: string;
  watermark: Date;
  last_started_at: Date | null;
  last_finished_at: Date | null;
  last_error: string | null;
  consecutive_failures: ColumnType<number, number | undefined, number>;
  runs: ColumnType<bigint, bigint | number | undefined, bigint | number>;
}

/** Small facts of the platform, such as the moved development clock. */
export interface KernelStateTable {
  key: string;
  value: JsonColumn;
  updated_at: Date;
}

/** Who did what. Rows can be added and read, never changed (a trigger refuses). */
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
