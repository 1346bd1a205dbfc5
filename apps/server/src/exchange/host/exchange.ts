import type { Command, Engine, EngineEvent } from "@bourse/engine";

/** A command before the exchange has given it its time. */
export type Unstamped<C extends Command = Command> = C extends Command ? Omit<C, "time_ms"> : never;

/** A command that is durable and done. Event ids are (number, index). */
export interface Applied {
  readonly number: number;
  readonly time_ms: number;
  readonly command: Command;
  readonly events: readonly EngineEvent[];
}

/** What the engine says of the command that it has just applied. */
export function appliedOf({ state, events }: Engine, command: Command): Applied {
  return { number: state.commandNumber, time_ms: state.time_ms, command, events: events.decode() };
}

export type AppliedListener = (applied: Applied) => void;

/** The exchange stopped while the command was on its way: it may or may not be done after a restart. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the exchange stopped while the command was under way: ${reason}`, { cause });
    this.name = "OutcomeUnknown";
  }
}

/** The command was not taken: nothing has happened. */
export class ExchangeUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExchangeUnavailable";
  }
}

/** FUT-17: too many commands are waiting already. Nothing has happened. */
export class ExchangeOverloaded extends Error {
  constructor() {
    super("too many commands are waiting");
    this.name = "ExchangeOverloaded";
  }
}

/** The engine as everything around it sees it: commands go in, everyone hears of what came of each. */
export interface Exchange {
  /** Nobody but the exchange applies commands to it. */
  readonly engine: Engine;
  /**
   * Called in the order of registration for every command, in the order of the log, before it is answered. The engine is
   * then in the state right after that command. A listener must not throw: that stops the exchange.
   */
  listen(listener: AppliedListener): void;
  /** Commands that were taken here and are not answered yet. */
  readonly waiting: number;
  /** Why nothing is taken any more; undefined while all is well. */
  readonly failure: Error | undefined;
  /**
   * Resolves once the command is durable and applied, also where the engine refused it: the events say so. By then the
   * engine may have gone on to later commands. A command that cannot be written down rejects, and nothing has happened.
   */
  submit(command: Unstamped, isExempt?: boolean): Promise<Applied>;
  /** Whether the command has a form in the log: one that has none is refused to its caller alone. */
  isWritable(command: Unstamped): boolean;
  /**
   * Resolves once everything that anybody was told of before this call is applied here: at once where the commands are
   * put in order by this very process (undefined), else after asking the one that does. Where it is to be final, every
   * command that comes later will have a time that is not before that of this call, too; else it is told to be unavailable.
   */
  current(isFinal?: boolean): Promise<void> | undefined;
  /** Finishes everything that was taken; takes nothing more. */
  close(): Promise<void>;
}
