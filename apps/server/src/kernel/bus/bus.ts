import type { JsonValue } from "../database/tables.ts";

export type BusListener = (message: JsonValue) => void | Promise<void>;

/**
 * Messages between the processes of one exchange. The database is authoritative: a message says that something has changed there.
 */
export interface Bus {
  /** Resolves when every other process has handled the message, or is known to serve no clients. */
  tell(topic: string, message: JsonValue): Promise<void>;
  /** Delivers to current listeners only, without confirmation. For messages that are repeated anyway. */
  mention(topic: string, message: JsonValue): void;
  /** A listener that fails gets the message again. */
  listen(topic: string, listener: BusListener): void;
}

/** For a single process. */
export const noBus: Bus = {
  tell: () => Promise.resolve(),
  mention: () => {},
  listen: () => {},
};
