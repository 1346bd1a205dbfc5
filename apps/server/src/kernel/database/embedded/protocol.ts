/**
 * What the main thread and the database's worker say to each other. Values cross as the text PostgreSQL itself uses, so
 * nothing depends on which JavaScript objects survive a copy between threads.
 */
export interface WorkerOptions {
  /** Where the database lives; none keeps it in memory. */
  readonly folder: string | undefined;
  /** A dump of a fresh database to begin with, in place of creating one. */
  readonly templateFile: string | undefined;
  /** The database's program, compiled already; none compiles it in the thread. */
  readonly program?: WebAssembly.Module | undefined;
}

/** A column of numbers crosses as it is, and becomes text where the main thread does not wait for it. */
export type WireParameter = string | null | Float64Array;

export type RequestBody =
  | { readonly kind: "query"; readonly sql: string; readonly parameters: readonly WireParameter[] }
  | { readonly kind: "close" };

export type Request = RequestBody & { readonly id: number };

export type Response =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly error: WireError }
  | { readonly kind: "result"; readonly id: number; readonly result: WireResult }
  | { readonly kind: "error"; readonly id: number; readonly error: WireError };

export interface WireResult {
  /** "INSERT", "COMMIT", …: what was done, which may differ from what was asked. */
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
  /** Where it happened, for errors that are not PostgreSQL's own. */
  readonly stack: string | undefined;
  readonly fields: ErrorFields;
}
