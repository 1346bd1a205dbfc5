import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { deliveryState, markDelivered, type NumberedMessage, numberMessages, undeliveredMessages } from "./store.ts";

export type { NumberedMessage };

export interface DispatcherOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  /** Hands one message to the receiver; resolves once the receiver holds it durably. */
  readonly deliver: (message: NumberedMessage) => Promise<void>;
  /**
   * Whether the receiver takes this message unless it takes none at all any more. Such messages are handed over together, in
   * order, and become durable together. Without it every message waits for the one before.
   */
  readonly isSure?: (message: NumberedMessage) => boolean;
  /** Told of every failed attempt; the message is tried again until it passes. */
  readonly onError: (error: Error) => void;
  /** How often to look for messages nobody gave notice of, such as those another process wrote. */
  readonly poll_ms?: number;
  readonly batch?: number;
  /** Waits, or returns early once the signal is aborted. For tests. */
  readonly sleep?: (duration_ms: number, signal: AbortSignal) => Promise<void>;
}

export interface DispatcherStatus {
  readonly pending: number;
  /** Every message up to this number has been delivered. */
  readonly lastSeq: bigint;
  readonly lastError: string | null;
  readonly failing_since: Date | null;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 30_000;

async function realSleep(duration_ms: number, signal: AbortSignal): Promise<void> {
  await delay(duration_ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/**
 * Delivers committed outbox messages strictly in the order of their numbers. A message that fails
 * holds up the ones behind it and is tried again until it passes; none is ever skipped. After a crash a message may be
 * delivered again, under the same number, which the receiver ignores. One process runs it: the one with the receiver.
 */
export class OutboxDispatcher {
  readonly #options: Required<DispatcherOptions>;
  #stopping = new AbortController();
  /** Aborted to cut short the wait for the next poll. */
  #wakeUp = new AbortController();
  #running: Promise<void> | undefined;
  #idleWaiters: PromiseWithResolvers<void>[] = [];
  #failures = 0;
  #lastError: string | null = null;
  #failingSince: Date | null = null;

  constructor(options: DispatcherOptions) {
    this.#options = { poll_ms: 1_000, batch: 500, sleep: realSleep, isSure: () => false, ...options };
  }

  start(): void {
    if (this.#running !== undefined) throw new Error("the outbox dispatcher is running already");
    this.#stopping = new AbortController();
    this.#running = this.#run();
  }

  /** Says that a transaction with messages has been committed, so they need not wait for the next poll. */
  notify(): void {
    this.#wakeUp.abort();
  }

  /** Resolves once everything committed before this call has been delivered. */
  idle(): Promise<void> {
    if (this.#running === undefined) return Promise.reject(new Error("the outbox dispatcher is not running"));
    const waiter = Promise.withResolvers<void>();
    this.#idleWaiters.push(waiter);
    this.notify();
    return waiter.promise;
  }

  /** Finishes the delivery under way and starts no other. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.notify();
    await this.#running;
    this.#running = undefined;
    const stopped = new Error("the outbox dispatcher was stopped");
    for (const waiter of this.#idleWaiters.splice(0)) waiter.reject(stopped);
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
      // From here on a notice or a new waiter asks for another round: what it is about may come too late for this one.
      this.#wakeUp = new AbortController();
      const waiters = this.#idleWaiters.splice(0);
      try {
        const emptied = await this.#deliverAll();
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
    const pause_ms = Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS);
    await this.#options.sleep(pause_ms, this.#stopping.signal);
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#lastError = null;
    this.#failingSince = null;
  }

  /** Goes on until nothing is left (then true) or it is told to stop (then false). */
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

  /** From this place on: all that are sure, else the one alone. */
  #sureFrom(messages: readonly NumberedMessage[], at: number): readonly NumberedMessage[] {
    let end = at;
    while (end < messages.length && this.#options.isSure(messages[end]!)) end += 1;
    return messages.slice(at, Math.max(end, at + 1));
  }

  /** Outside of any transaction, because a receiver may take its time. What was delivered is marked even if one fails. */
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
          // Behind one that was not taken, none may be: the receiver would ignore it when it comes again.
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
