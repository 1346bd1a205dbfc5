import { ByteWriter, type Command, type Engine } from "@bourse/engine";
import type { Msg, Subscription } from "@nats-io/transport-node";
import { type Clock, MovableClock } from "../../kernel/clock.ts";
import type { Journal } from "../../kernel/journal/journal.ts";
import type { NatsLink } from "../../kernel/nats/link.ts";
import { encodeRecord, isWritable } from "../host/command-record.ts";
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
} from "../host/exchange.ts";
import type { CommandStream, PlacedPack } from "./command-stream.ts";
import { copyPack, newRecords } from "./local-copy.ts";
import type { PackedRecord } from "./pack.ts";
import { type PendingCommand, PendingCommands } from "./pending-commands.ts";
import { type Answer, commandOf, encodeSubmission, submittedLength } from "./submissions.ts";

export interface FollowingOptions {
  readonly link: NatsLink;
  readonly stream: CommandStream;
  /** Recovered from the copy of the log on the local disk. */
  readonly engine: Engine;
  readonly copy: Journal;
  /** The sequence number of the last message in the copy. */
  readonly lastSeq: number;
  readonly term: number;
  readonly clock: Clock;
  /** A random whole number that identifies this process as a sender of commands. */
  readonly sender: number;
  readonly maxCommandsWaiting: number;
  /** LOG-8: whether only exempt commands pass at the moment. */
  readonly isOnlyReducing?: (() => boolean) | undefined;
  /** Called once when following fails; from then on every command is refused. */
  readonly onFailure: (error: unknown) => void;
}

/** Longer than a change of leader takes. */
const PATIENCE_ms = 10_000;
const LOOK_EVERY_ms = 250;
/** A command that is not in the log after this time is sent again; the leader takes each one once. */
const SEND_AGAIN_ms = 1_000;
const MAX_PER_MESSAGE_bytes = 262_144;
const EXEMPT_ROOM = 100_000;
const PROGRESS_TIMEOUT_ms = 300;
const CURRENT_TIMEOUT_ms = 5_000;

interface Waiter {
  readonly number: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The exchange in a process that does not lead. It applies the commands of the log to its own engine, so that state,
 * events and numbers are the same in every process. It sends new commands to the leader; a command has succeeded when
 * it appears in the log. When the leader changes, commands that are not in the log before the first message of the new
 * term are sent to the new leader: the old one cannot write any more.
 */
export class FollowingExchange implements Exchange {
  readonly engine: Engine;
  readonly #options: FollowingOptions;
  readonly #listeners: AppliedListener[] = [];
  readonly #pending = new PendingCommands();
  readonly #writer = new ByteWriter();
  readonly #stopping = new AbortController();
  #unsent: PendingCommand[] = [];
  #term: number;
  #lastSeq: number;
  /** When the oldest pending command was last sent. */
  #sent_ms = 0;
  #isFlushing = false;
  #subscription: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #following: Promise<void> | undefined;
  #failure: Error | undefined;
  #isClosing = false;
  /** Calls that wait until a command is applied here. */
  #waiters: Waiter[] = [];
  #seqWaiters: Waiter[] = [];
  /** The current request for the end of the log; true if the leader answers it, false if the stream does. */
  #asking: Promise<boolean> | undefined;

  constructor(options: FollowingOptions) {
    this.engine = options.engine;
    this.#options = options;
    this.#term = options.term;
    this.#lastSeq = options.lastSeq;
  }

  /** Called after all listeners are added. */
  start(): void {
    const { link, sender } = this.#options;
    this.#subscription = link.connection.subscribe(link.names.sender(sender), {
      callback: (error, message) => {
        if (error === null) this.#onAnswer(message);
      },
    });
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_ms);
    this.#following = this.#follow().catch((error: unknown) => this.#stop(error));
  }

  listen(listener: AppliedListener): void {
    this.#listeners.push(listener);
  }

  get waiting(): number {
    return this.#pending.count;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  /** The leader's term according to the log. */
  get term(): number {
    return this.#term;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  submit(command: Unstamped, isExempt = false): Promise<Applied> {
    if (this.#failure !== undefined) return Promise.reject(new ExchangeUnavailable("the exchange has stopped"));
    if (this.#isClosing) return Promise.reject(new ExchangeUnavailable("the exchange is closing"));
    if (!isExempt && this.#options.isOnlyReducing?.() === true) return Promise.reject(new OnlyReducing());
    const room = this.#options.maxCommandsWaiting + (isExempt ? EXEMPT_ROOM : 0);
    if (this.#pending.count >= room) return Promise.reject(new ExchangeOverloaded());
    this.#writer.clear();
    try {
      encodeRecord({ ...command, time_ms: 0 } as Command, this.#writer);
    } catch (error) {
      return Promise.reject(error);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Applied>();
    const bytes = this.#writer.bytes.slice();
    this.#unsent.push(this.#pending.add({ bytes, isExempt, taken_ms: performance.now(), resolve, reject }));
    if (!this.#isFlushing) {
      this.#isFlushing = true;
      // Commands that are submitted in the same turn go into one message.
      queueMicrotask(() => this.#flush());
    }
    return promise;
  }

  isWritable(command: Unstamped): boolean {
    return isWritable(command);
  }

  /** All calls that arrive before a request is sent share it. */
  async current(isFinal = false): Promise<void> {
    // The answer to a request that is already sent may be older than this call, so the next request is used.
    if (this.#asking !== undefined) await this.#asking.catch(() => {});
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const isFromEngine = await this.#asking;
    if (isFinal && !isFromEngine) throw new ExchangeUnavailable("no engine says how far it is");
  }

  /** Resolves when the command of this number is applied here. */
  reached(number: number): Promise<void> {
    if (this.engine.state.commandNumber >= number) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ number, resolve, reject }));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const until_ms = performance.now() + PATIENCE_ms;
    while (this.#pending.count > 0 && this.#failure === undefined && performance.now() < until_ms) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_ms / 10));
    }
    await this.stopFollowing();
    await this.#options.copy.close();
  }

  /**
   * Stops applying commands and rejects the pending ones. The copy stays open, because a new leader continues with it.
   */
  async stopFollowing(): Promise<void> {
    clearInterval(this.#timer);
    this.#subscription?.unsubscribe();
    this.#stopping.abort();
    await this.#following;
    this.#rejectAll(new OutcomeUnknown(new Error("it stopped following the log")));
  }

  /** The same engine and copy, where following stopped, for other listeners. To be called after `stopFollowing`. */
  continued(): FollowingExchange {
    return new FollowingExchange({ ...this.#options, lastSeq: this.#lastSeq, term: this.#term });
  }

  async #follow(): Promise<void> {
    const { stream } = this.#options;
    for await (const pack of stream.follow(this.#lastSeq, this.#stopping.signal)) await this.#take(pack);
  }

  async #take(pack: PlacedPack): Promise<void> {
    const { copy } = this.#options;
    const records = newRecords(pack, this.engine.state.commandNumber + 1);
    await copyPack(copy, pack);
    for (const record of records) this.#apply(record);
    this.#lastSeq = pack.seq;
    this.#seqWaiters = releaseUpTo(this.#seqWaiters, pack.seq);
    if (pack.term > this.#term) {
      this.#term = pack.term;
      this.#sendFrom(0);
    }
  }

  #apply({ bytes, origin }: PackedRecord): void {
    const command = commandOf(bytes);
    const { engine } = this;
    const { clock, sender } = this.#options;
    // In development one process moves the clock, and the others follow the times of its commands.
    if (clock instanceof MovableClock) clock.advanceTo(command.time_ms);
    engine.apply(command);
    const applied = appliedOf(engine, command);
    for (const listener of this.#listeners) listener(applied);
    if (origin?.sender === sender) this.#pending.take(origin.request)?.resolve(applied);
    this.#waiters = releaseUpTo(this.#waiters, applied.number);
  }

  #flush(): void {
    this.#isFlushing = false;
    const unsent = this.#unsent;
    this.#unsent = [];
    this.#send(unsent);
  }

  #sendFrom(request: number): void {
    this.#unsent = [];
    this.#send([...this.#pending.from(request)]);
  }

  #send(commands: readonly PendingCommand[]): void {
    const { link, sender, clock } = this.#options;
    // Before the first term there is no leader to send to.
    if (commands.length === 0 || this.#term === 0) return;
    this.#sent_ms = performance.now();
    let part: PendingCommand[] = [];
    let length_bytes = 0;
    const sendPart = () => {
      const submission = { sender, now_ms: clock.now(), oldest: this.#pending.oldest, commands: part };
      link.connection.publish(link.names.submissions(this.#term), encodeSubmission(submission));
      part = [];
      length_bytes = 0;
    };
    for (const command of commands) {
      command.isSent = true;
      part.push(command);
      length_bytes += submittedLength(command.bytes);
      if (length_bytes > MAX_PER_MESSAGE_bytes) sendPart();
    }
    if (part.length > 0) sendPart();
  }

  #onAnswer(message: Msg): void {
    for (const answer of message.json<readonly Answer[]>()) {
      if (answer.kind === "again") this.#sendFrom(answer.from);
      else this.#pending.take(answer.request)?.reject(new ExchangeOverloaded());
    }
  }

  /**
   * Sends commands again that may be lost. If the oldest command has waited too long, all are rejected: a caller that
   * relies on the order of its commands must not see a later one applied without an earlier one.
   */
  #look(): void {
    const now_ms = performance.now();
    if (now_ms - this.#pending.oldestTaken_ms > PATIENCE_ms) {
      this.#unsent = [];
      for (const { isSent, reject } of this.#pending.takeAll()) {
        if (isSent) reject(new OutcomeUnknown(new Error("the engine did not answer")));
        else reject(new ExchangeUnavailable("no engine takes commands"));
      }
    }
    if (this.#pending.count > 0 && now_ms - this.#sent_ms > SEND_AGAIN_ms) this.#sendFrom(0);
  }

  /** LOG-8: removes from the stream what is before this command. */
  async forgetBefore(number: number): Promise<void> {
    await this.#options.stream.forgetBefore(number);
  }

  /** Resolves when everything that is now in the stream is applied here. */
  async caughtUp(): Promise<void> {
    await this.reachedSeq(await this.#options.stream.lastSeq());
  }

  /** Waits until the end of the log is applied here; the leader says where it is, otherwise the stream. */
  async #ask(): Promise<boolean> {
    if (this.#failure !== undefined) throw new ExchangeUnavailable("the exchange has stopped");
    const late = new ExchangeUnavailable(`the log is not applied here within ${CURRENT_TIMEOUT_ms} ms`);
    const limit = setTimeout(() => this.#rejectWaiters(late), CURRENT_TIMEOUT_ms);
    try {
      const number = await this.#progress();
      if (number !== undefined) await this.reached(number);
      else await this.caughtUp();
      return number !== undefined;
    } catch (error) {
      if (error instanceof ExchangeUnavailable) throw error;
      throw new ExchangeUnavailable(`how far the log is cannot be told: ${String(error)}`);
    } finally {
      clearTimeout(limit);
    }
  }

  async #progress(): Promise<number | undefined> {
    const { link, clock } = this.#options;
    const { connection, names } = link;
    try {
      const reply = await connection.request(names.progress(this.#term), String(clock.now()), {
        timeout: PROGRESS_TIMEOUT_ms,
      });
      return Number(reply.string());
    } catch {
      // The leader is changing.
      return undefined;
    }
  }

  /** Resolves when the message with this sequence number is applied here. */
  reachedSeq(seq: number): Promise<void> {
    if (this.#lastSeq >= seq) return Promise.resolve();
    return new Promise((resolve, reject) => this.#seqWaiters.push({ number: seq, resolve, reject }));
  }

  #stop(error: unknown): void {
    this.#failure = new OutcomeUnknown(error);
    this.#rejectAll(this.#failure);
    this.#options.onFailure(error);
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#pending.takeAll()) reject(error);
    this.#rejectWaiters(error);
  }

  #rejectWaiters(error: Error): void {
    const waiters = [...this.#waiters, ...this.#seqWaiters];
    this.#waiters = [];
    this.#seqWaiters = [];
    for (const { reject } of waiters) reject(error);
  }
}

function releaseUpTo(waiters: Waiter[], number: number): Waiter[] {
  if (waiters.length === 0) return waiters;
  for (const waiter of waiters) if (waiter.number <= number) waiter.resolve();
  return waiters.filter((waiter) => waiter.number > number);
}
