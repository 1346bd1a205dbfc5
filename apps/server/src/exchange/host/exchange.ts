import type { Command, Engine, EngineEvent } from "@bourse/engine";

/** A command before the exchange has stamped it with its time. */
export type Unstamped<C extends Command = Command> = C extends Command ? Omit<C, "time_ms"> : never;

/** A command that is durable and applied. Event ids are (number, index). */
export interface Applied {
  readonly number: number;
  readonly time_ms: number;
  readonly command: Command;
  readonly events: readonly EngineEvent[];
}

/** The command that the engine has just applied, with its events. */
export function appliedOf({ state, events }: Engine, command: Command): Applied {
  return { number: state.commandNumber, time_ms: state.time_ms, command, events: events.decode() };
}

export type AppliedListener = (applied: Applied) => void;

/** The exchange stopped before the command was answered; after a restart it may or may not be applied. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the exchange stopped while the command was under way: ${reason}`, { cause });
    this.name = "OutcomeUnknown";
  }
}

/** The command was refused; nothing has changed. */
export class ExchangeUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ExchangeUnavailable";
  }
}

/** LOG-8: the disk is nearly full, so only commands pass that make positions and orders fewer. Nothing has changed. */
export class OnlyReducing extends ExchangeUnavailable {
  constructor() {
    super("Only cancels and reduce-only orders are accepted at the moment.");
    this.name = "OnlyReducing";
  }
}

/** FUT-17: too many commands are waiting. Nothing has changed. */
export class ExchangeOverloaded extends Error {
  constructor() {
    super("too many commands are waiting");
    this.name = "ExchangeOverloaded";
  }
}

/** The engine behind its log: accepts commands, makes them durable, applies them and notifies listeners. */
export interface Exchange {
  /** Only the exchange applies commands to it. */
  readonly engine: Engine;
  /**
   * Adds a listener. Listeners are called in the order of registration for every command, in the order of the log,
   * before the command is answered; the engine is then in the state right after the command. A listener that throws
   * stops the exchange.
   */
  listen(listener: AppliedListener): void;
  /** Commands that were accepted here and are not answered yet. */
  readonly waiting: number;
  /** Why the exchange has stopped; undefined while it runs. */
  readonly failure: Error | undefined;
  /**
   * Resolves when the command is durable and applied, even if the engine refused it (see the events). The engine may
   * have applied later commands by then. Rejects a command that cannot be encoded; then nothing has changed.
   */
  submit(command: Unstamped, isExempt?: boolean): Promise<Applied>;
  /** Whether the command can be encoded. One that cannot is rejected without effect on other commands. */
  isWritable(command: Unstamped): boolean;
  /**
   * Resolves when everything that any process had seen before this call is applied here. Undefined in the process that
   * writes the log, which is always up to date; others ask the leader. With `isFinal`, every later command also has a
   * time that is not before this call; rejects with ExchangeUnavailable if that cannot be guaranteed.
   */
  current(isFinal?: boolean): Promise<void> | undefined;
  /** Completes the accepted commands and accepts no more. */
  close(): Promise<void>;
}
