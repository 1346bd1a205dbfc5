import { ByteWriter, type Command, type Engine } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import type { CommandLog, Origin } from "../../kernel/journal/command-log.ts";
import { chainFrom } from "../journal/replay.ts";
import { encodeRecord, isWritable } from "./command-record.ts";
import {
  type Applied,
  type AppliedListener,
  appliedOf,
  type Exchange,
  ExchangeOverloaded,
  ExchangeUnavailable,
  OnlyReducing,
  OutcomeUnknown,
  type Unstamped,
} from "./exchange.ts";

/** An accepted command and when it was accepted (by `performance.now`). */
export interface Taken {
  readonly command: Unstamped;
  readonly taken_ms: number;
}

/** Measures the exchange. Must not throw. */
export interface ExchangeProbe {
  /** A command was refused. */
  refused(error: ExchangeOverloaded | ExchangeUnavailable): void;
  /** A batch was applied, passed to the listeners and answered, between two moments of `performance.now`. */
  applied(batch: readonly Taken[], begun_ms: number, ended_ms: number): void;
}

export interface ExchangeOptions {
  /** Recovered from snapshot and log. Only the exchange applies commands to it. */
  readonly engine: Engine;
  readonly log: CommandLog;
  readonly clock: Clock;
  /** FUT-17. Exempt commands may exceed it; 0 refuses all others (WIRE-11). */
  readonly maxCommandsWaiting: number;
  /** LOG-8: whether only exempt commands pass at the moment. */
  readonly isOnlyReducing?: (() => boolean) | undefined;
  /** Called once when the log, the engine or a listener has failed; from then on every command is refused. */
  readonly onFailure: (error: unknown) => void;
  readonly probe?: ExchangeProbe;
}

interface Waiting extends Taken {
  readonly origin: Origin | undefined;
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: Error) => void;
}

/** The commands of one append. */
interface Batch {
  readonly commands: readonly Command[];
  readonly waiting: readonly Waiting[];
  readonly records: readonly Uint8Array[];
  readonly origins: readonly (Origin | undefined)[];
  /** Its last command changes the rules (LOG-5). */
  readonly changesRules: boolean;
}

/**
 * As many as may wait by default. With thousands of clients a turn of the event loop is long, and the batch size limits
 * how many commands each turn completes.
 */
const MAX_PER_BATCH = 10_000;
/** A batch is a frame of the log, and has to fit into a message of the command stream. */
const ENOUGH_PER_BATCH_bytes = 400_000;
/** Memory has an end: so many commands beyond FUT-17's limit are too many even where they are exempt. */
const EXEMPT_ROOM = 100_000;

/**
 * The engine behind its log: a command is stamped, logged, applied after its sync, passed to the listeners, then
 * answered. While one batch syncs the next one gathers, and a batch is applied while its successor syncs.
 *
 * A failure of the log, the engine or a listener stops the exchange until a restart. After a failed write it is unknown
 * what is durable; after a failed listener its data no longer agree with memory. The log decides: a restart applies it
 * again and passes the listeners what they lack.
 */
export class LoggedExchange implements Exchange {
  readonly engine: Engine;
  readonly #options: ExchangeOptions;
  readonly #listeners: AppliedListener[] = [];
  readonly #writer = new ByteWriter();
  #queue: Waiting[] = [];
  /** Batches being logged or applied: at most two, the older first. */
  readonly #underWay: Batch[] = [];
  /** Commands that were accepted and are not answered yet. */
  #waiting = 0;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ExchangeOptions) {
    this.engine = options.engine;
    this.#options = options;
  }

  listen(listener: AppliedListener): void {
    this.#listeners.push(listener);
  }

  get waiting(): number {
    return this.#waiting;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  /** `origin` is written to a shared log, so that the sender recognises its command. */
  submit(command: Unstamped, isExempt = false, origin?: Origin): Promise<Applied> {
    if (this.#failure !== undefined) return this.#refuse(new ExchangeUnavailable("the exchange has stopped"));
    if (this.#closing !== undefined) return this.#refuse(new ExchangeUnavailable("the exchange is closing"));
    if (!isExempt && this.#isOnlyReducing) return this.#refuse(new OnlyReducing());
    if (!this.hasRoom(isExempt)) return this.#refuse(new ExchangeOverloaded());
    const { promise, resolve, reject } = Promise.withResolvers<Applied>();
    this.#queue.push({ command, taken_ms: performance.now(), origin, resolve, reject });
    this.#waiting += 1;
    this.#running ??= this.#run();
    return promise;
  }

  get #isOnlyReducing(): boolean {
    return this.#options.isOnlyReducing?.() === true;
  }

  /** FUT-17, LOG-8: whether the number of waiting commands and the disk allow another one. */
  hasRoom(isExempt: boolean): boolean {
    if (!isExempt && this.#isOnlyReducing) return false;
    return this.#waiting < this.#options.maxCommandsWaiting + (isExempt ? EXEMPT_ROOM : 0);
  }

  isWritable(command: Unstamped): boolean {
    return isWritable(command);
  }

  current(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #refuse(error: ExchangeOverloaded | ExchangeUnavailable): Promise<never> {
    this.#options.probe?.refused(error);
    return Promise.reject(error);
  }

  async #finish(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    await this.#options.log.close();
  }

  async #run(): Promise<void> {
    // Commands that are submitted in the same turn go into one batch.
    await undefined;
    try {
      await this.#work();
    } catch (error) {
      this.#stop(error);
    }
    this.#running = undefined;
    // Listeners may have submitted commands while the last batch was applied.
    if (this.#queue.length > 0) this.#running = this.#run();
  }

  async #work(): Promise<void> {
    let synced: Batch | undefined;
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      if (batch.records.length === 0) continue;
      this.#underWay.push(batch);
      const appending = this.#options.log.append(batch.records, batch.origins);
      try {
        if (synced !== undefined) this.#apply(synced);
      } finally {
        await appending;
      }
      synced = batch;
      if (!batch.changesRules) continue;
      // Nothing is logged by other rules before they hold.
      this.#apply(batch);
      synced = undefined;
      this.#followRules();
    }
    if (synced !== undefined) this.#apply(synced);
  }

  #followRules(): void {
    const { state } = this.engine;
    this.#options.log.followRules?.(state.rulesVersion, () => chainFrom(state));
  }

  /** Stamps and encodes what waits. A command that has no form in the log is refused to its caller alone. */
  #takeBatch(): Batch {
    const time_ms = this.#options.clock.now();
    const writer = this.#writer;
    const commands: Command[] = [];
    const waiting: Waiting[] = [];
    const ends: number[] = [];
    let looked = 0;
    let changesRules = false;
    /** The account that the last commands open and set up. */
    let opening: number | undefined;
    writer.clear();
    for (const entry of this.#queue) {
      const isFull = looked >= MAX_PER_BATCH || writer.length >= ENOUGH_PER_BATCH_bytes;
      opening = openingWith(entry.command, opening);
      if (isFull && (opening === undefined || entry.command.kind === "open_account")) break;
      looked += 1;
      const command = { ...entry.command, time_ms } as Command;
      try {
        encodeRecord(command, writer);
      } catch (error) {
        this.#waiting -= 1;
        entry.reject(error as Error);
        continue;
      }
      commands.push(command);
      waiting.push(entry);
      ends.push(writer.length);
      if (command.kind !== "set_rules_version") continue;
      changesRules = true;
      break;
    }
    this.#queue.splice(0, looked);
    // The log may keep its records while the writer is reused.
    const bytes = writer.bytes.slice();
    const records = ends.map((end, place) => bytes.subarray(ends[place - 1] ?? 0, end));
    return { commands, waiting, records, origins: waiting.map(({ origin }) => origin), changesRules };
  }

  #apply(batch: Batch): void {
    const { engine } = this;
    const begun_ms = performance.now();
    for (const [place, command] of batch.commands.entries()) {
      engine.apply(command);
      const applied = appliedOf(engine, command);
      for (const listener of this.#listeners) listener(applied);
      this.#waiting -= 1;
      batch.waiting[place]!.resolve(applied);
    }
    this.#underWay.shift();
    this.#options.probe?.applied(batch.waiting, begun_ms, performance.now());
  }

  #stop(error: unknown): void {
    this.#failure = new OutcomeUnknown(error);
    // Rejecting has no effect on those that are already answered.
    const unknown = this.#underWay.splice(0).flatMap(({ waiting }) => waiting);
    for (const { reject } of unknown) reject(this.#failure);
    const unwritten = this.#queue.splice(0);
    for (const { reject } of unwritten) reject(new ExchangeUnavailable("the exchange has stopped"));
    this.#waiting = 0;
    this.#options.onFailure(error);
  }
}

/**
 * SEC-11: settings that go with an opening stand right behind it. They must be in its frame of the log, so that a crash leaves all
 * of them or none: whoever delivers the opening again sees from the account that they are there.
 */
function openingWith(command: Unstamped, opening: number | undefined): number | undefined {
  if (command.kind === "open_account") return command.account;
  const isSetting = command.kind === "set_margin_mode" || command.kind === "set_leverage";
  return isSetting && command.account === opening ? opening : undefined;
}
