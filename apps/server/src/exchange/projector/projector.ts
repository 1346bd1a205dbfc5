import type { Clock } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../kernel/database/database.ts";
import { pauseAfter } from "../../kernel/retry.ts";
import { sleep } from "../../kernel/wait.ts";
import type { Applied } from "../host/exchange.ts";
import { BatchRows } from "./batch-rows.ts";
import { ProjectionFault } from "./columns.ts";
import { CursorMoved, moveCursor, type ProjectionCursor, readCursor, readPrices, readUnits } from "./cursor.ts";
import { type PendingOrder, pendingOrderIn } from "./pending-order.ts";
import { ProjectionQueue, type Reread } from "./queue.ts";
import type { KnownPrices } from "./risk-drafts.ts";
import { LastEvents, ProjectionWaiters } from "./waiting.ts";
import { writeRows } from "./write-batch.ts";

/** Commands that are being written, without gaps, in order. */
export interface ProjectedBatch {
  readonly applied: readonly Applied[];
  readonly first: number;
  readonly last: number;
  /** By market: what one lot at one tick is worth. */
  readonly units_micros: ReadonlyMap<number, number>;
}

/**
 * A projection: a module's own rows of what the exchange did. It is called inside the transaction that writes the batch, after its rows: what
 * it writes there is written exactly once. It awaits nothing but statements of this transaction, and remembers nothing
 * in memory, since the transaction may be rolled back and tried again.
 */
export type ProjectionListener = (tx: Tx, batch: ProjectedBatch) => Promise<void>;

export interface ProjectorOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly reread: Reread;
  readonly projections?: readonly ProjectionListener[];
  /** Told of every failed attempt; the batch is tried again until it passes. */
  readonly onError: (error: Error) => void;
  /** Told once, when it cannot go on: the tables and the log do not belong together. */
  readonly onFault: (error: Error) => void;
  /** Told of every batch that was written: for measurements. It must not throw. */
  readonly onWritten?: (commands: number, took_ms: number) => void;
  /** Told how far the tables are, after each batch. It must not throw. */
  readonly onMoved?: (cursor: number) => void;
  /** Commands and events in memory; what is beyond it is read again from the log. */
  readonly mostQueued?: number;
  readonly mostEvents?: number;
  /** Batches get smaller where writing one takes longer. */
  readonly longestWrite_ms?: number;
  /** From so many commands on that are not written yet, batches may be larger than these bounds, until a quarter of them is left. */
  readonly farBehind_commands?: number;
  readonly sleep?: (duration_ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ProjectorStatus {
  readonly cursor: number;
  readonly lastHeard: number;
  readonly lag_commands: number;
  /** Since the oldest command that is not written; 0 when all are. */
  readonly lag_ms: number;
  readonly isSpilled: boolean;
  readonly failing_since: Date | null;
  readonly lastError: string | null;
  /** Why it has given up; null while it goes on. */
  readonly fault: string | null;
}

const MAX_QUEUED = 200_000;
const MAX_EVENTS = 1_000;
/** Below it a batch is all overhead: a statement of the embedded database takes some milliseconds however little it does. */
const MIN_EVENTS = 250;
/** Others wait for the embedded database while a batch is written. */
const MAX_WRITE_ms = 20;
/** A server's connections do not wait for each other: what counts is how much goes with each round trip. */
const SERVER_BATCHES = { mostEvents: 8_000, longestWrite_ms: 1_000 };

/**
 * So far behind, whoever reads waits for the tables and not for the database: what counts is how soon they are there. Small
 * batches would keep them behind for as long as the load lasts.
 */
const FAR_BEHIND_commands = 2_000;
const CATCHING_UP = { mostEvents: 8_000, longestWrite_ms: 250 };
/** It has caught up when it is less than this part of that behind; the last stretch would otherwise take many small batches. */
const CAUGHT_UP_part = 1 / 4;

/** How much is written at once to a database of this kind. */
export const batchesFor = ({ kind }: Pick<Database, "kind">) => (kind === "postgresql" ? SERVER_BATCHES : {});
const RETRY_ms = { first: 50, max: 5_000 };
const READ_TIMEOUT_ms = 1_000;
const STOP_TIMEOUT_ms = 5_000;

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/**
 * Writes what the exchange did to the database, and lets every projection write in the same transaction. `load` it,
 * hand it every command from its cursor on in order (`hear`), and `start` it. Rows and cursor change together, so each
 * event is written once, whatever fails in between.
 */
export class Projector {
  readonly #options: Required<ProjectorOptions>;
  readonly #queue: ProjectionQueue;
  readonly #lastEvents = new LastEvents();
  readonly #waiters = new ProjectionWaiters();
  #cursor: ProjectionCursor | undefined;
  #units_micros = new Map<number, number>();
  /** At the cursor. */
  #prices: ReadonlyMap<number, KnownPrices> = new Map();
  #lastHeard = 0;
  /** Taken from the queue and not written yet. */
  #batch: readonly Applied[] = [];
  /** The last attempt failed; it is not known whether it was committed all the same. */
  #isInDoubt = false;
  #mostEvents: number;
  #isCatchingUp = false;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #holds = 0;
  #isStopping = false;
  #stopping = new AbortController();
  #failures = 0;
  #lastError: string | null = null;
  #failingSince: Date | null = null;
  #fault: Error | undefined;

  constructor(options: ProjectorOptions) {
    const untold = { onWritten: () => {}, onMoved: () => {} };
    const bounds = { mostQueued: MAX_QUEUED, mostEvents: MAX_EVENTS, longestWrite_ms: MAX_WRITE_ms };
    const defaults = { projections: [], ...bounds, farBehind_commands: FAR_BEHIND_commands, sleep, ...untold };
    this.#options = { ...defaults, ...options };
    this.#mostEvents = this.#options.mostEvents;
    this.#queue = new ProjectionQueue(this.#options);
  }

  /** Reads how far the tables have come, and answers it: commands after it are to be heard. */
  async load(): Promise<number> {
    const { db } = this.#options.database;
    this.#units_micros = await readUnits(db);
    this.#prices = await readPrices(db);
    this.#cursor = await readCursor(db);
    this.#lastHeard = this.#cursor.command_number;
    return this.#lastHeard;
  }

  /** For `exchange.listen` and for recovery. What the tables have already is passed over. */
  readonly hear = (applied: Applied): void => {
    if (this.#cursor === undefined) throw new Error("the projector must be loaded before it hears anything");
    if (applied.number <= this.#lastHeard || this.#fault !== undefined) return;
    if (applied.number !== this.#lastHeard + 1) {
      this.#giveUp(new ProjectionFault(`command ${applied.number} came after ${this.#lastHeard}: some are missing`));
      return;
    }
    this.#lastHeard = applied.number;
    this.#lastEvents.hear(applied);
    this.#queue.push(applied);
    this.#wake?.();
  };

  start(): void {
    if (this.#cursor === undefined) throw new Error("the projector must be loaded before it is started");
    if (this.#running !== undefined) throw new Error("the projector is running already");
    this.#isStopping = false;
    this.#stopping = new AbortController();
    this.#running = this.#run();
  }

  /**
   * Writes what is queued, then stops. Where the database does not answer, or time is up, it leaves the rest, which is
   * heard again after the next start.
   */
  async stop(timeout_ms = STOP_TIMEOUT_ms): Promise<void> {
    this.#isStopping = true;
    this.#wake?.();
    if (this.#failures > 0) this.#stopping.abort();
    const timer = setTimeout(() => this.#stopping.abort(), timeout_ms);
    await this.#running;
    clearTimeout(timer);
    this.#running = undefined;
    await this.#queue.close();
  }

  /**
   * Until the returned function is called, commands are written only if somebody waits for them or a whole batch has come together.
   * For many commands in a row, each of which would otherwise be a batch.
   */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      this.#wake?.();
    };
  }

  /** Every event up to this command is in the tables. */
  get cursor(): number {
    return this.#cursor?.command_number ?? 0;
  }

  /** Resolves once the tables hold the command; rejects with ProjectionTimeout. */
  waitFor(number: number, timeout_ms = READ_TIMEOUT_ms): Promise<void> {
    if (number <= this.cursor) return Promise.resolve();
    const reached = this.#waiters.wait(number, timeout_ms);
    this.#wake?.();
    return reached;
  }

  /** Resolves once the tables hold everything that has happened to the account so far. */
  waitForAccount(account: number, timeout_ms = READ_TIMEOUT_ms): Promise<void> {
    return this.waitFor(this.#lastEvents.of(account), timeout_ms);
  }

  /** Resolves once the tables hold everything heard so far. */
  waitForAll(timeout_ms = READ_TIMEOUT_ms): Promise<void> {
    return this.waitFor(this.#lastHeard, timeout_ms);
  }

  /** Whether what is not written is all in memory, so that `pendingOrder` misses nothing. */
  get isSpilled(): boolean {
    return this.#queue.isSpilled;
  }

  /** What has happened to an order that the tables do not hold yet; undefined for nothing. */
  pendingOrder(account: number, order: number): PendingOrder | undefined {
    return pendingOrderIn(this.#pending(), account, order);
  }

  status(): ProjectorStatus {
    const oldest = this.#batch[0] ?? this.#queue.oldest;
    const lag_commands = this.#lastHeard - this.cursor;
    const since_ms = oldest?.time_ms ?? this.#cursor?.time_ms ?? 0;
    return {
      cursor: this.cursor,
      lastHeard: this.#lastHeard,
      lag_commands,
      lag_ms: lag_commands === 0 ? 0 : Math.max(0, this.#options.clock.now() - since_ms),
      isSpilled: this.#queue.isSpilled,
      failing_since: this.#failingSince,
      lastError: this.#lastError,
      fault: this.#fault?.message ?? null,
    };
  }

  *#pending(): Iterable<Applied> {
    yield* this.#batch;
    yield* this.#queue.inMemory();
  }

  async #run(): Promise<void> {
    while (this.#fault === undefined && !this.#stopping.signal.aborted) {
      try {
        if (this.#batch.length === 0 && !this.#isHeld) this.#batch = await this.#queue.take(this.#mostEvents);
        if (this.#batch.length > 0) await this.#project();
        else if (this.#isStopping && this.#queue.isEmpty) return;
        else await this.#heardMore();
      } catch (error) {
        await this.#failed(asError(error));
      }
    }
  }

  get #isHeld(): boolean {
    const isWanted = this.#isStopping || this.#waiters.count > 0;
    return this.#holds > 0 && !isWanted && this.#lastHeard - this.cursor < this.#options.mostEvents;
  }

  #heardMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
      // Told to stop, or heard something, after the queue was found empty.
      if (this.#isStopping || !(this.#queue.isEmpty || this.#isHeld)) this.#wake();
    });
  }

  async #project(): Promise<void> {
    const from = this.#cursor!;
    const applied = this.#batch;
    const rows = new BatchRows(this.#units_micros, from.last_income_id, this.#prices);
    for (const command of applied) rows.add(command);
    const last = applied.at(-1)!;
    const to = { command_number: last.number, last_income_id: rows.lastIncomeId, time_ms: last.time_ms };
    const begun = performance.now();
    if (!(this.#isInDoubt && (await this.#isCommitted(from, to)))) {
      this.#isInDoubt = true;
      await this.#options.database.db.transaction().execute(async (tx) => {
        await moveCursor(tx, from, to);
        await writeRows(tx, rows);
        const batch = { applied, first: applied[0]!.number, last: last.number, units_micros: this.#units_micros };
        for (const project of this.#options.projections) await project(tx, batch);
      });
    }
    this.#isInDoubt = false;
    this.#prices = rows.risk.prices;
    this.#written(to, performance.now() - begun);
  }

  /** Whether the attempt before was committed although it was told to have failed, as when the answer got lost. */
  async #isCommitted(from: ProjectionCursor, to: ProjectionCursor): Promise<boolean> {
    const { command_number } = await readCursor(this.#options.database.db);
    if (command_number === to.command_number) return true;
    if (command_number === from.command_number) return false;
    throw new CursorMoved(from.command_number, command_number);
  }

  #written(to: ProjectionCursor, took_ms: number): void {
    this.#options.onWritten(this.#batch.length, took_ms);
    this.#cursor = to;
    this.#batch = [];
    this.#failures = 0;
    this.#lastError = null;
    this.#failingSince = null;
    this.#mostEvents = this.#nextMostEvents(this.#lastHeard - to.command_number, took_ms);
    this.#waiters.reached(to.command_number);
    this.#options.onMoved(to.command_number);
  }

  #nextMostEvents(behind: number, took_ms: number): number {
    const usual = this.#options;
    this.#isCatchingUp = behind > usual.farBehind_commands * (this.#isCatchingUp ? CAUGHT_UP_part : 1);
    const mostEvents = this.#isCatchingUp ? Math.max(usual.mostEvents, CATCHING_UP.mostEvents) : usual.mostEvents;
    const longest_ms = this.#isCatchingUp
      ? Math.max(usual.longestWrite_ms, CATCHING_UP.longestWrite_ms)
      : usual.longestWrite_ms;
    const wanted = took_ms > longest_ms ? Math.max(MIN_EVENTS, this.#mostEvents >> 1) : this.#mostEvents * 2;
    return Math.min(mostEvents, wanted);
  }

  async #failed(error: Error): Promise<void> {
    // An attempt whose answer got lost may be committed late; any other move is not ours.
    const isOwnMove = error instanceof CursorMoved && this.#failures > 0 && error.found === this.#batch.at(-1)?.number;
    if (error instanceof CursorMoved && !isOwnMove) return this.#giveUp(error);
    this.#failures += 1;
    this.#lastError = error.message;
    this.#failingSince ??= new Date(this.#options.clock.now());
    this.#options.onError(error);
    // What is left is heard again after the next start.
    if (this.#isStopping) return this.#stopping.abort();
    await this.#options.sleep(pauseAfter(this.#failures, RETRY_ms), this.#stopping.signal);
  }

  #giveUp(error: Error): void {
    this.#fault = error;
    this.#options.onFault(error);
    this.#wake?.();
  }
}
