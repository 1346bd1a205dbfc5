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
  /** Recovered from the copy on this machine's disk. */
  readonly engine: Engine;
  readonly copy: Journal;
  /** Of the last message that the copy has. */
  readonly lastSeq: number;
  readonly term: number;
  readonly clock: Clock;
  /** This process, among those that ask for commands: a random whole number. */
  readonly sender: number;
  readonly maxCommandsWaiting: number;
  /** Told once, when it cannot go on: from then on every command is refused. */
  readonly onFailure: (error: unknown) => void;
}

/** Longer than the lead takes to change hands. */
const PATIENCE_ms = 10_000;
const LOOK_EVERY_ms = 250;
/** What was sent and is not in the log after so long is sent again: the engine takes each once. */
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
 * The exchange in a process that does not lead it. The log says what happened, in which order: every process that follows
 * it applies the same commands to an engine of its own and so comes to the same state, the same events and the same
 * numbers. Commands are sent to the engine that leads, and have succeeded once they are seen in the log. Should the lead
 * change hands, what has not been seen by the first message of the new term never will be, and is sent again.
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
  /** When the oldest of those that wait was last sent. */
  #sent_ms = 0;
  #isFlushing = false;
  #subscription: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;
  #following: Promise<void> | undefined;
  #failure: Error | undefined;
  #isClosing = false;
  /** Those who wait until a command is applied here. */
  #waiters: Waiter[] = [];
  #seqWaiters: Waiter[] = [];
  /** The question that is under way. Whether the engine that leads has answered it, or the stream. */
  #asking: Promise<boolean> | undefined;

  constructor(options: FollowingOptions) {
    this.engine = options.engine;
    this.#options = options;
    this.#term = options.term;
    this.#lastSeq = options.lastSeq;
  }

  /** Once everybody listens. */
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

  /** The term of the engine that leads, as far as the log tells. */
  get term(): number {
    return this.#term;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  submit(command: Unstamped, isExempt = false): Promise<Applied> {
    if (this.#failure !== undefined) return Promise.reject(new ExchangeUnavailable("the exchange has stopped"));
    if (this.#isClosing) return Promise.reject(new ExchangeUnavailable("the exchange is closing"));
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
      // What is asked for in the same turn goes into one message.
      queueMicrotask(() => this.#flush());
    }
    return promise;
  }

  isWritable(command: Unstamped): boolean {
    return isWritable(command);
  }

  /** One question serves all who came before it was asked. */
  async current(isFinal = false): Promise<void> {
    // Where a question is under way, its answer may be older than this call: the one after it will do.
    if (this.#asking !== undefined) await this.#asking.catch(() => {});
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const isFromEngine = await this.#asking;
    if (isFinal && !isFromEngine) throw new ExchangeUnavailable("no engine says how far it is");
  }

  /** Resolves once the command of this number is applied here. */
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

  /** Applies nothing more. What waits is refused or unknown. The copy stays open: whoever takes the lead goes on with it. */
  async stopFollowing(): Promise<void> {
    clearInterval(this.#timer);
    this.#subscription?.unsubscribe();
    this.#stopping.abort();
    await this.#following;
    this.#rejectAll(new OutcomeUnknown(new Error("it stopped following the log")));
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
    // In development the clock is moved by one process, and the others hear of it here.
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
    // Before the first engine has taken the lead there is nobody to send to.
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
   * Sends again what may have been lost. Where the oldest command has waited for too long, all are given up: whoever relies
   * on the order of its commands must not find a later one done without an earlier one.
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

  /** Resolves once all that is in the stream now is applied here. */
  async caughtUp(): Promise<void> {
    await this.reachedSeq(await this.#options.stream.lastSeq());
  }

  /** How far the log is, by the engine that leads, else by the stream itself. */
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
      // The lead is changing hands.
      return undefined;
    }
  }

  /** Resolves once the message at this place is applied here. */
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
