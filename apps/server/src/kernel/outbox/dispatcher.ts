import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { pauseAfter } from "../retry.ts";
import { sleep } from "../wait.ts";
import { deliveryState, markDelivered, type NumberedMessage, numberMessages, undeliveredMessages } from "./store.ts";

export type { NumberedMessage };

export interface DispatcherOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  /** Passes one message to the receiver; resolves when the receiver has it durably. */
  readonly deliver: (message: NumberedMessage) => Promise<void>;
  /**
   * Whether the receiver accepts this message, unless it accepts none at all. Such messages are passed together, in order, and
   * become durable together. Without this function every message waits for the previous one.
   */
  readonly isSure?: (message: NumberedMessage) => boolean;
  /** Called for every failed attempt; the message is retried until it succeeds. */
  readonly onError: (error: Error) => void;
  /** The interval of checks for messages without a notification, such as those of another process. */
  readonly poll_ms?: number;
  readonly batch?: number;
  /** For tests: waits, or returns early when the signal is aborted. */
  readonly sleep?: (duration_ms: number, signal: AbortSignal) => Promise<void>;
}

export interface DispatcherStatus {
  readonly pending: number;
  /** Every message up to this number has been delivered. */
  readonly lastSeq: bigint;
  readonly lastError: string | null;
  readonly failing_since: Date | null;
}

const RETRY_ms = { first: 100, max: 30_000 };

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/**
 * Delivers committed outbox messages strictly in the order of their numbers. A message that fails blocks later ones and is retried
 * until it succeeds; none is skipped. After a crash a message may be delivered again under the same number, which the receiver
 * ignores. It runs in one process: the one with the receiver.
 */
export class OutboxDispatcher {
  readonly #options: Required<DispatcherOptions>;
  #stopping = new AbortController();
  /** Aborted to end the wait for the next poll. */
  #wakeUp = new AbortController();
  #running: Promise<void> | undefined;
  #round: Promise<unknown> | undefined;
  #idleWaiters: PromiseWithResolvers<void>[] = [];
  #failures = 0;
  #lastError: string | null = null;
  #failingSince: Date | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = { poll_ms: 1_000, batch: 500, sleep, isSure: () => false, ...options };
  }

  start(): void {
    if (this.#running !== undefined) throw new Error("the outbox dispatcher is running already");
    this.#stopping = new AbortController();
    this.#running = this.#run();
  }

  /** Signals that a transaction with messages was committed, so that they need not wait for the next poll. */
  notify(): void {
    this.#wakeUp.abort();
  }

  /** Resolves when everything committed before this call has been delivered. */
  idle(): Promise<void> {
    if (this.#running === undefined) return Promise.reject(new Error("the outbox dispatcher is not running"));
    const waiter = Promise.withResolvers<void>();
    this.#idleWaiters.push(waiter);
    this.notify();
    return waiter.promise;
  }

  /** Finishes the current delivery and starts no other. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.notify();
    await this.#running;
    this.#running = undefined;
    const stopped = new Error("the outbox dispatcher was stopped");
    for (const waiter of this.#idleWaiters.splice(0)) waiter.reject(stopped);
  }

  /** Resolves when no delivery is under way; while the database is away, none begins. */
  async settled(): Promise<void> {
    await this.#round?.catch(() => {});
  }

  async status(): Promise<DispatcherStatus> {
    const { pending, lastSeq } = await deliveryState(this.#options.database.db);
    return { pending, lastSeq, lastError: this.#lastError, failing_since: this.#failingSince };
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }

  async #run(): Promise<void> {
    const { sleep, poll_ms } = this.#options;
    while (!this.#stopping.signal.aborted) {
      // From here on a notification or a new waiter causes another round, because its messages may be too late for this one.
      this.#wakeUp = new AbortController();
      const waiters = this.#idleWaiters.splice(0);
      try {
        const round = this.#deliverAll();
        this.#round = round;
        const emptied = await round;
        if (emptied) for (const waiter of waiters) waiter.resolve();
        else this.#idleWaiters.unshift(...waiters);
        await sleep(poll_ms, this.#wakeUp.signal);
      } catch (error) {
        this.#idleWaiters.unshift(...waiters);
        await this.#backOff(asError(error));
      }
    }
  }

  async #backOff(error: Error): Promise<void> {
    this.#failures += 1;
    this.#lastError = error.message;
    this.#failingSince ??= this.#now();
    this.#options.onError(error);
    await this.#options.sleep(pauseAfter(this.#failures, RETRY_ms), this.#stopping.signal);
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#lastError = null;
    this.#failingSince = null;
  }

  /** Continues until nothing is left (returns true) or it is stopped (returns false). */
  async #deliverAll(): Promise<boolean> {
    const { database, batch } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const numbered = await numberMessages(database.db, batch, this.#now());
      const messages = await undeliveredMessages(database.db, batch);
      await this.#deliver(messages);
      if (numbered === 0 && messages.length === 0) {
        this.#succeeded();
        return true;
      }
    }
    return false;
  }

  /** From this index on: all consecutive sure messages, or else the one alone. */
  #sureFrom(messages: readonly NumberedMessage[], at: number): readonly NumberedMessage[] {
    let end = at;
    while (end < messages.length && this.#options.isSure(messages[end]!)) end += 1;
    return messages.slice(at, Math.max(end, at + 1));
  }

  /** Outside any transaction, because a receiver may be slow. Delivered messages are marked even if one fails. */
  async #deliver(messages: readonly NumberedMessage[]): Promise<void> {
    let delivered: bigint | undefined;
    try {
      for (let at = 0; at < messages.length; ) {
        if (this.#stopping.signal.aborted) return;
        const together = this.#sureFrom(messages, at);
        const outcomes = await Promise.allSettled(together.map((message) => this.#options.deliver(message)));
        const failure = outcomes.find((outcome) => outcome.status === "rejected");
        const taken = failure === undefined ? together.length : outcomes.indexOf(failure);
        if (taken > 0) {
          this.#succeeded();
          delivered = together[taken - 1]!.seq;
        }
        if (failure !== undefined) {
          // After a message that was not accepted, none may be accepted: the receiver would ignore the first one when it comes
          // again.
          if (outcomes.slice(taken).some(({ status }) => status === "fulfilled")) {
            throw new Error(`message ${together[taken]!.seq} was passed over: ${asError(failure.reason).message}`);
          }
          throw failure.reason;
        }
        at += together.length;
      }
    } finally {
      const first = messages[0];
      if (first !== undefined && delivered !== undefined) {
        await markDelivered(this.#options.database.db, first.seq, delivered, this.#now());
      }
    }
  }
}
