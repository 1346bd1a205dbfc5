/**
 * The database cannot be reached, or the connection was lost during a statement, which may have taken effect or not. The message
 * names no address, because readiness is public.
 */
export class DatabaseUnavailable extends Error {
  constructor(reason: string, cause: unknown) {
    super(`the database cannot be reached (${reason})`, { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** Error codes of the operating system for connections. */
const NETWORK_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ENOTFOUND",
  "ENOENT",
]);
/** Error codes of the server: broken connections, too many of them, shutting down, starting up. */
const SERVER_CODES = /^(08...|53300|57P0[1-5])$/;
/** Messages of the driver without a code. */
const DRIVER_WORDS = /^(Connection terminated|Client has encountered a connection error|timeout e|Client was closed)/;

/** Turns an error about a lost or refused connection into DatabaseUnavailable; returns other errors unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return asUnavailable(error.errors[0]);
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string") {
    return NETWORK_CODES.has(code) || SERVER_CODES.test(code) ? new DatabaseUnavailable(code, error) : error;
  }
  return DRIVER_WORDS.test(error.message) ? new DatabaseUnavailable(error.message, error) : error;
}
