/**
 * The database cannot be reached, or was lost while it was asked. Nothing is wrong with the statement, and whether it
 * took effect is not known. The message names no address: readiness shows it to anyone.
 */
export class DatabaseUnavailable extends Error {
  constructor(reason: string, cause: unknown) {
    super(`the database cannot be reached (${reason})`, { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** What the operating system says of connections. */
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
/** What the server says of itself: connections that broke, too many of them, shutting down, starting up. */
const SERVER_CODES = /^(08...|53300|57P0[1-5])$/;
/** What the driver says in words alone. */
const DRIVER_WORDS = /^(Connection terminated|Client has encountered a connection error|timeout e|Client was closed)/;

/** The driver's error as DatabaseUnavailable where it tells of a lost or refused connection; else as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return asUnavailable(error.errors[0]);
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string") {
    return NETWORK_CODES.has(code) || SERVER_CODES.test(code) ? new DatabaseUnavailable(code, error) : error;
  }
  return DRIVER_WORDS.test(error.message) ? new DatabaseUnavailable(error.message, error) : error;
}
