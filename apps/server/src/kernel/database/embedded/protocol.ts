/**
 * The messages between the main thread and the database's worker. Values are sent as PostgreSQL's own text, so that nothing depends
 * on which JavaScript objects survive a copy between threads.
 */
export interface WorkerOptions {
  /** The database's folder; undefined keeps it in memory. */
  readonly folder: string | undefined;
  /** A dump of a fresh database to start from, instead of creating one. */
  readonly templateFile: string | undefined;
  /** The compiled program of the database; undefined compiles it in the thread. */
  readonly program?: WebAssembly.Module | undefined;
}

/** A column of numbers is sent as it is, and becomes text in the worker, where the main thread does not wait for it. */
export type WireParameter = string | null | Float64Array;

export type RequestBody =
  | { readonly kind: "query"; readonly sql: string; readonly parameters: readonly WireParameter[] }
  /** `rows` in the text format of COPY. */
  | { readonly kind: "copy"; readonly sql: string; readonly rows: string }
  | { readonly kind: "close" };

export type Request = RequestBody & { readonly id: number };

export type Response =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly error: WireError }
  | { readonly kind: "result"; readonly id: number; readonly result: WireResult }
  | { readonly kind: "error"; readonly id: number; readonly error: WireError };

export interface WireResult {
  /** "INSERT", "COMMIT", …: the executed command, which may differ from the requested one. */
  readonly command: string;
  readonly affectedRows: number;
  readonly columns: readonly { readonly name: string; readonly typeOid: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The fields of a PostgreSQL error; an error's own fields do not survive a copy between threads. */
export const ERROR_FIELDS = [
  "severity",
  "code",
  "detail",
  "hint",
  "position",
  "where",
  "schema",
  "table",
  "column",
  "dataType",
  "constraint",
  "routine",
] as const;

export type ErrorFields = Partial<Record<(typeof ERROR_FIELDS)[number], string>>;

export interface WireError {
  readonly message: string;
  /** The stack, for errors that are not PostgreSQL's own. */
  readonly stack: string | undefined;
  readonly fields: ErrorFields;
}
