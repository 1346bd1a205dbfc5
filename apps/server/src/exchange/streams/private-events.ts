import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { pauseAfter } from "../../kernel/retry.ts";
import { within } from "../../kernel/wait.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";
import { EventBatch, type EventRow } from "./event-batch.ts";
import { EventNumbers, lastSeqOf } from "./event-numbers.ts";
import type { EventCursor, EventStore } from "./event-store.ts";
import { readEvents } from "./fact-codec.ts";
import type { PrivateChannel, ShownFact } from "./private-facts.ts";

/** FUT-18: how long private events can be read at least. */
export const EVENTS_KEPT_ms = DAY_ms;
const MAX_PER_ANSWER = 1_000;
const ROWS_PER_READ = 16;
const WRITE_EVERY_ms = 100;
const READ_TIMEOUT_ms = 1_000;
const RETRY_ms = { first: 200, max: 5_000 };
/** The limit of events that wait for the database. Beyond it they are dropped from memory and rebuilt from the log. */
const MAX_WAITING_bytes = 33_554_432;

export interface PrivateEvent {
  readonly seq: number;
  readonly channel: PrivateChannel;
  readonly time_ms: number;
  readonly data: unknown;
}

export interface PrivateEventsAnswer {
  /** Oldest first. */
  readonly events: readonly PrivateEvent[];
  /** The number of the account's last event, whether or not it is included. */
  readonly last_seq: number;
  /** False if events after the requested number are no longer stored; the client must then read the present state. */
  readonly isComplete: boolean;
  readonly hasMore: boolean;
}

/** The rebuilt events of several commands; `through` is the last of them. */
export interface Rebuilt {
  readonly batch: EventBatch;
  readonly through: number;
}

/** Rebuilds the events of the commands `from` … `to` from the log, in parts. */
export type Rebuild = (from: number, to: number) => AsyncIterable<Rebuilt>;

export interface PrivateEventsOptions {
  readonly clock: Clock;
  readonly store: EventStore;
  readonly rebuild: Rebuild;
  /** The last applied command. */
  readonly commandNumber: () => number;
  /** Adds the balances and positions that are pending at the end of a turn, so that the stored events are complete. */
  readonly settle: () => void;
  readonly render: (fact: ShownFact) => unknown;
  readonly onError: (error: unknown) => void;
  readonly maxWaiting_bytes?: number;
  /** `PRIVATE_EVENT_HOURS`. */
  readonly kept_ms?: number;
}

/** The batch that is being written. */
interface Taken {
  readonly batch: EventBatch;
  readonly from: number;
  readonly through: number;
  /** It holds only events without a command: the cursor does not move, so it cannot show whether they are stored. */
  readonly isBesides: boolean;
  /** The number of events added before it was taken. */
  readonly added: number;
}

/**
 * The private events of the last day or longer, numbered per account, for clients that were disconnected. They are stored as
 * bytes in the database; memory holds a bounded part that is not written yet. Events that a crash or a slow database
 * has lost are rebuilt from the log with the same numbers.
 */
export class PrivateEvents {
  readonly #options: PrivateEventsOptions;
  readonly #numbers = new EventNumbers();
  readonly #startNumber: number;
  /** No event of an earlier process has a higher number. */
  #startSeq: number;
  #cursor: EventCursor = { command_number: 0, last_seq: 0, floor_seq: 0 };
  /** A write has failed, and it is unknown whether it was committed. */
  #isInDoubt = true;
  #isLoaded = false;
  /** Events from this command on are gathered; earlier ones are stored, taken or to be rebuilt. */
  #gatheringFrom: number;
  #gathering = new EventBatch();
  #spare = new EventBatch();
  #taken: Taken | undefined;
  #added = 0;
  #stored = 0;
  #isWriteDue = false;
  /** The cursor must be moved even if there is nothing to store. */
  #isCursorDue = false;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  /** Resolved at the next progress. */
  #step = Promise.withResolvers<true>();
  readonly #stopping = new AbortController();
  #failures = 0;

  constructor(options: PrivateEventsOptions) {
    this.#options = options;
    this.#startNumber = options.commandNumber();
    this.#startSeq = lastSeqOf(this.#startNumber);
    this.#gatheringFrom = this.#startNumber + 1;
  }

  /** Rebuilds the events that the last process lost, in the background. */
  start(): void {
    this.#write();
  }

  /** Returns the event's number. */
  add(account: number, commandNumber: number, fact: ShownFact): number {
    const seq = this.#numbers.next(account, commandNumber, fact);
    this.#added += 1;
    if (commandNumber < this.#gatheringFrom) return seq;
    this.#gathering.add(account, seq, fact);
    if (this.#gathering.length_bytes > (this.#options.maxWaiting_bytes ?? MAX_WAITING_bytes)) {
      this.#gathering.clear();
      this.#gatheringFrom = commandNumber + 1;
    }
    this.#timer ??= setTimeout(() => this.#write(), WRITE_EVERY_ms).unref();
    return seq;
  }

  /**
   * Stores events without a command. They are not in the log, so they may be sent only after this has resolved with
   * their numbers; by then they are stored.
   */
  async keepBesides(news: readonly { readonly account: number; readonly fact: ShownFact }[]): Promise<number[]> {
    // After this the highest number of earlier processes is known.
    await this.flush(RETRY_ms.max);
    this.#options.settle();
    const lastSeq = lastSeqOf(this.#options.commandNumber());
    const seqs = news.map(({ account, fact }) => {
      const seq = this.#numbers.nextBehind(account, Math.max(lastSeq, this.lastSeq(account)));
      this.#gathering.add(account, seq, fact);
      return seq;
    });
    this.#added += news.length;
    await this.flush(RETRY_ms.max);
    return seqs;
  }

  /** The account's highest event number at present, or a higher one. */
  lastSeq(account: number): number {
    return this.#numbers.last(account) ?? this.#startSeq;
  }

  /** The events of an account after a number. Rejects with ProjectionTimeout if the database is far behind. */
  async after(account: number, seq: number, limit = MAX_PER_ANSWER): Promise<PrivateEventsAnswer> {
    await this.flush();
    const { store, clock, kept_ms = EVENTS_KEPT_ms } = this.#options;
    const maxEvents = Math.min(limit, MAX_PER_ANSWER);
    const gone_ms = clock.now() - kept_ms;
    const events: PrivateEvent[] = [];
    let isComplete = seq >= this.#cursor.floor_seq;
    for (let from = seq; events.length <= maxEvents; ) {
      const { rows, floor_seq } = await store.read(account, from, ROWS_PER_READ);
      if (seq < floor_seq) isComplete = false;
      for (const event of rows.flatMap((row) => [...readEvents(row.events)])) {
        if (event.seq <= seq || events.length > maxEvents) continue;
        if (event.fact.time_ms <= gone_ms) isComplete = false;
        else events.push(this.#render(event));
      }
      if (rows.length < ROWS_PER_READ) break;
      from = rows.at(-1)!.last_seq;
    }
    const hasMore = events.length > maxEvents;
    if (hasMore) events.length = maxEvents;
    const last_seq = this.#numbers.last(account) ?? (await store.lastSeq(account));
    return { events, last_seq, isComplete, hasMore };
  }

  /** Resolves when all events up to now are stored. */
  async flush(timeout_ms = READ_TIMEOUT_ms): Promise<void> {
    this.#options.settle();
    const added = this.#added;
    const late = () => new ProjectionTimeout(this.#options.commandNumber(), timeout_ms);
    const until_ms = performance.now() + timeout_ms;
    while (this.#hasGap() || this.#isInDoubt || this.#isCursorDue || this.#stored < added) {
      const step = this.#step.promise;
      this.#write();
      await within(step, Math.max(0, until_ms - performance.now()), late);
    }
  }

  /** Removes events that are too old, and moves the cursor even if nothing has happened for long. */
  async prune(now_ms: number): Promise<{ removed: number }> {
    this.#isCursorDue = true;
    await this.flush(RETRY_ms.max);
    const { store, kept_ms = EVENTS_KEPT_ms } = this.#options;
    return { removed: await store.prune(now_ms - kept_ms) };
  }

  /** Stores the remaining events. If the database does not answer, they can be rebuilt from the log. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(), RETRY_ms.max);
    if (this.#failures > 0) this.#stopping.abort();
    this.#isCursorDue = true;
    while (this.#isCursorDue && !this.#stopping.signal.aborted) {
      this.#write();
      await this.#working;
    }
    this.#stopping.abort();
    clearTimeout(timer);
    clearTimeout(this.#timer);
  }

  #render({ seq, fact }: { readonly seq: number; readonly fact: ShownFact }): PrivateEvent {
    return { seq, channel: fact.channel, time_ms: fact.time_ms, data: this.#options.render(fact) };
  }

  #hasGap(): boolean {
    return this.#cursor.command_number < (this.#taken?.from ?? this.#gatheringFrom) - 1;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#stopping.signal.aborted) return;
    this.#isWriteDue = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      // Requested just before the previous run ended.
      if (this.#isWriteDue) this.#write();
    });
  }

  async #work(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#isWriteDue = false;
      try {
        if (this.#isInDoubt) await this.#loadCursor();
        await this.#fillGap();
        this.#take();
        if (this.#taken === undefined) return;
        await this.#storeTaken(this.#taken);
        this.#failures = 0;
      } catch (error) {
        this.#isInDoubt = true;
        this.#failures += 1;
        this.#options.onError(error);
        await this.#pause(pauseAfter(this.#failures, RETRY_ms));
      }
    }
  }

  async #loadCursor(): Promise<void> {
    const command_number = this.#startNumber;
    const last_seq = command_number === 0 ? 0 : lastSeqOf(command_number);
    this.#cursor = await this.#options.store.load({ command_number, last_seq, floor_seq: last_seq });
    if (!this.#isLoaded) this.#startSeq = Math.max(this.#startSeq, this.#cursor.last_seq);
    this.#isLoaded = true;
    this.#isInDoubt = false;
    this.#stepForward();
  }

  /** Rebuilds the events that memory does not hold: those lost by a crash and those dropped for lack of room. */
  async #fillGap(): Promise<void> {
    const { rebuild, onError } = this.#options;
    while (this.#hasGap() && !this.#stopping.signal.aborted) {
      const to = (this.#taken?.from ?? this.#gatheringFrom) - 1;
      try {
        for await (const { batch, through } of rebuild(this.#cursor.command_number + 1, to)) {
          await this.#store(batch, through);
          if (this.#stopping.signal.aborted) return;
        }
      } catch (error) {
        if (!(error instanceof LogFault)) throw error;
        // The log begins later. Events that cannot be rebuilt are marked as missing.
        onError(error);
        await this.#moveTo({ ...this.#cursor, command_number: to, floor_seq: lastSeqOf(to) }, []);
      }
    }
  }

  #take(): void {
    const { commandNumber, settle } = this.#options;
    if (this.#taken !== undefined) return;
    settle();
    const added = this.#added;
    if (this.#gathering.isEmpty && !this.#isCursorDue) {
      // Dropped events are rebuilt by now, unless they were dropped just now.
      if (!this.#hasGap()) this.#stored = added;
      this.#stepForward();
      return;
    }
    this.#isCursorDue = false;
    const through = commandNumber();
    const isBesides = through === this.#cursor.command_number && !this.#gathering.isEmpty;
    this.#taken = { batch: this.#gathering, from: this.#gatheringFrom, through, isBesides, added };
    this.#gathering = this.#spare;
    this.#gatheringFrom = through + 1;
  }

  async #storeTaken({ batch, through, isBesides, added }: Taken): Promise<void> {
    if (isBesides || this.#cursor.command_number < through) await this.#store(batch, through);
    batch.clear();
    this.#spare = batch;
    this.#taken = undefined;
    this.#stored = added;
    this.#stepForward();
  }

  async #store(batch: EventBatch, through: number): Promise<void> {
    const rows = batch.rows();
    const last_seq = rows.reduce((highest, row) => Math.max(highest, row.last_seq), this.#cursor.last_seq);
    await this.#moveTo({ ...this.#cursor, command_number: through, last_seq }, rows);
  }

  async #moveTo(cursor: EventCursor, rows: readonly EventRow[]): Promise<void> {
    await this.#options.store.write(rows, this.#cursor.command_number, cursor);
    this.#cursor = cursor;
    this.#stepForward();
  }

  #stepForward(): void {
    this.#step.resolve(true);
    this.#step = Promise.withResolvers<true>();
  }

  async #pause(duration_ms: number): Promise<void> {
    const { signal } = this.#stopping;
    await delay(duration_ms, undefined, { signal, ref: false }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
