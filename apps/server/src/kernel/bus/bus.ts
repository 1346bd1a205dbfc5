import type { JsonValue } from "../database/tables.ts";

export type BusListener = (message: JsonValue) => void | Promise<void>;

/**
 * What the processes of one exchange tell each other of what they hold in memory. The database is the truth: a message says
 * that something has changed there.
 */
export interface Bus {
  /** Resolves once every other process has done what the message asks for, or is known not to serve anybody. */
  tell(topic: string, message: JsonValue): Promise<void>;
  /** Whoever listens at the moment may hear it. For what is said again anyway. */
  mention(topic: string, message: JsonValue): void;
  /** A listener that fails is asked again. */
  listen(topic: string, listener: BusListener): void;
}

/** For a process that is alone. */
export const noBus: Bus = {
  tell: () => Promise.resolve(),
  mention: () => {},
  listen: () => {},
};
