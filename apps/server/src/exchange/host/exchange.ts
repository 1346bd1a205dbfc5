import { ByteWriter, type Command, type Engine, type EngineEvent, encodeCommand } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import type { CommandLog } from "./command-log.ts";

/** A command before the exchange has given it its time. */
export type Unstamped<C extends Command = Command> = C extends Command ? Omit<C, "time_ms"> : never;

/** A command that is durable and done. Event ids are (number, index). */
export interface Applied {
  readonly number: number;
  readonly time_ms: number;
  readonly command: Command;
  readonly events: readonly EngineEvent[];
}

export type AppliedListener = (applied: Applied) => void;

/** The log failed while the command was on its way: it may or may not be done after a restart. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("the command log failed while the command was being written", { cause });
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

export interface ExchangeOptions {
  /** Recovered from snapshot and log; nobody else applies commands to it. */
  readonly engine: Engine;
  readonly log: CommandLog;
  readonly clock: Clock;
  /** FUT-17; commands that are exempt pass beyond it. */
  readonly maxCommandsWaiting: number;
  /** Told once, when the log has failed: from then on every command is refused. */
  readonly onFailure: (error: unknown) => void;
}

interface Waiting {
  readonly command: Unstamped;
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: Error) => void;
}

interface Batch {
  readonly commands: readonly Command[];
  readonly waiting: readonly Waiting[];
}

const MOST_PER_BATCH = 1_000;

/**
 * The engine behind its log: a command is stamped, logged, applied after its sync, told to the listeners, then answered.
 * While one batch syncs the next gathers, and a batch is applied while its successor syncs.
 */
export class Exchange {
  readonly engine: Engine;
  readonly #options: ExchangeOptions;
  readonly #listeners: AppliedListener[] = [];
  readonly #writer = new ByteWriter();
  #queue: Waiting[] = [];
  /** Commands that were taken and are not answered yet. */
  #waiting = 0;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;
  #isClosed = false;

  constructor(options: ExchangeOptions) {
    this.engine = options.engine;
    this.#options = options;
  }

  /** Called in the order of registration for every command, in the order of the log, before it is answered. */
  listen(listener: AppliedListener): void {
    this.#listeners.push(listener);
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Why nothing is taken any more; undefined while all is well. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Resolves once the command is durable and applied, also where the engine refused it: the events say so. */
  submit(command: Unstamped, isExempt = false): Promise<Applied> {
    if (this.#failure !== undefined) return Promise.reject(new ExchangeUnavailable("the command log has failed"));
    if (this.#isClosed) return Promise.reject(new ExchangeUnavailable("the exchange is closing"));
    if (!isExempt && this.#waiting >= this.#options.maxCommandsWaiting) return Promise.reject(new ExchangeOverloaded());
    const { promise, resolve, reject } = Promise.withResolvers<Applied>();
    this.#queue.push({ command, resolve, reject });
    this.#waiting += 1;
    this.#running ??= this.#run();
    return promise;
  }

  /** Finishes everything that was taken; takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    await this.#options.log.close();
  }

  async #run(): Promise<void> {
    // What is asked for in the same turn goes into one batch.
    await Promise.resolve();
    let synced: Batch | undefined;
    while (this.#queue.length > 0 && this.#failure === undefined) {
      const batch = this.#takeBatch();
      const records = this.#encode(batch.commands);
      const appending = this.#options.log.append(records);
      if (synced !== undefined) this.#apply(synced);
      synced = undefined;
      try {
        await appending;
        synced = batch;
      } catch (error) {
        this.#fail(error, batch.waiting);
      }
    }
    if (synced !== undefined) this.#apply(synced);
    this.#running = undefined;
    // Listeners and answers may have asked for more in the meantime.
    if (this.#queue.length > 0 && this.#failure === undefined) this.#running = this.#run();
  }

  #takeBatch(): Batch {
    const waiting = this.#queue.splice(0, MOST_PER_BATCH);
    const time_ms = this.#options.clock.now();
    return { waiting, commands: waiting.map(({ command }) => ({ ...command, time_ms }) as Command) };
  }

  #encode(commands: readonly Command[]): Uint8Array[] {
    const writer = this.#writer;
    return commands.map((command) => {
      writer.clear();
      encodeCommand(command, writer);
      return writer.bytes.slice();
    });
  }

  #apply({ commands, waiting }: Batch): void {
    const { engine } = this;
    for (const [place, command] of commands.entries()) {
      engine.apply(command);
      const applied: Applied = {
        number: engine.state.commandNumber,
        time_ms: engine.state.time_ms,
        command,
        events: engine.events.decode(),
      };
      for (const listener of this.#listeners) listener(applied);
      this.#waiting -= 1;
      waiting[place]!.resolve(applied);
    }
  }

  #fail(error: unknown, waiting: readonly Waiting[]): void {
    this.#failure = new OutcomeUnknown(error);
    for (const { reject } of waiting) reject(this.#failure);
    const unwritten = this.#queue.splice(0);
    for (const { reject } of unwritten) reject(new ExchangeUnavailable("the command log has failed"));
    this.#waiting -= waiting.length + unwritten.length;
    this.#options.onFailure(error);
  }
}
