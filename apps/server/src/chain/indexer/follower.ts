import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { pauseAfter } from "../../kernel/retry.ts";
import { within } from "../../kernel/wait.ts";
import { plainReason } from "../client.ts";
import type { ChainBlock } from "./block-range.ts";
import { ChainFault, type Indexer, type SyncReport } from "./indexer.ts";

export interface FollowerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Run at every poll, in this order, after the chain's new events are applied. */
  readonly steps: readonly SyncStep[];
}

/** Work that continues from the applied events, such as the next payment or a product's next state. */
export interface SyncStep {
  readonly name: string;
  /** The result is shown to a staff member who runs the job by hand. A rejection fails the job; later steps still run. */
  run(): Promise<unknown>;
}

const RETRY_ms = { first: 1_000, max: 120_000 };
/** A backfill says how far it is so often. */
const PROGRESS_EVERY_ms = 5_000;

interface Waiter {
  readonly block: number;
  readonly done: PromiseWithResolvers<boolean>;
}

/** Schedules the indexer's reads: at every poll, at every notification, and with growing pauses after failures. */
export class ChainFollower {
  readonly #indexer: Indexer;
  readonly #options: FollowerOptions;
  readonly #waiters = new Set<Waiter>();
  #running: Promise<unknown> | undefined;
  #isAskedFor = false;
  #isStopped = false;
  #failures = 0;
  #notBefore_ms = 0;
  #lastError: Error | undefined;
  #synced: { readonly at_ms: number; readonly report: SyncReport } | undefined;
  #indexed: ChainBlock | undefined;
  #progress_ms = 0;
  readonly #counts = { events: 0, undone: 0, rewinds: 0, failures: 0 };

  constructor(indexer: Indexer, options: FollowerOptions) {
    this.#indexer = indexer;
    this.#options = options;
  }

  /** For metrics: since the start. */
  get counts(): Readonly<Record<"events" | "undone" | "rewinds" | "failures", number>> {
    return this.#counts;
  }

  /** Why the last read failed; undefined if it succeeded. */
  get lastError(): Error | undefined {
    return this.#lastError;
  }

  get lastSync(): { readonly at_ms: number; readonly report: SyncReport } | undefined {
    return this.#synced;
  }

  /** The last block up to which this process has applied everything. */
  get indexed(): ChainBlock | undefined {
    return this.#indexed;
  }

  /** Signals that the chain has something new: it is read now, or right after the read in progress. */
  notify(): void {
    if (this.#isStopped) return;
    this.#isAskedFor = true;
    if (this.#running !== undefined || this.#options.clock.now() < this.#notBefore_ms) return;
    // A failure is in `lastError` and the log.
    void this.#look().catch(() => undefined);
  }

  /** Reads now regardless of earlier failures, runs the steps, and returns what was read and done. */
  async sync(): Promise<Record<string, unknown>> {
    const report = await this.#lookAfresh();
    return { ...report, ...(await this.#runSteps()) };
  }

  /** The same, but not before the pause after a failure is over; until then the failure is returned. */
  async poll(): Promise<Record<string, unknown>> {
    if (this.#lastError !== undefined && this.#options.clock.now() < this.#notBefore_ms) throw this.#lastError;
    return await this.sync();
  }

  /** Resolves with true when everything up to the block is applied, with false at the timeout. */
  async reached(block: number, timeout_ms: number): Promise<boolean> {
    if (this.#indexed !== undefined && this.#indexed.number >= block) return true;
    const waiter: Waiter = { block, done: Promise.withResolvers<boolean>() };
    this.#waiters.add(waiter);
    this.notify();
    try {
      return (await within(waiter.done.promise, timeout_ms)) ?? false;
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  /**
   * Reads now, and returns whether everything up to and including that moment is applied: there are no unread blocks, or the last
   * block read is later.
   */
  async isPast(time_ms: number): Promise<boolean> {
    const { head_block, indexed_block } = await this.#lookAfresh();
    // Before the first block of interest there are no events.
    if (indexed_block === null || indexed_block === head_block) return true;
    return this.#indexed !== undefined && this.#indexed.time_ms > time_ms;
  }

  /** The indexer calls this after each transaction. */
  advanced(block: ChainBlock, target: number): void {
    this.#indexed = block;
    for (const waiter of this.#waiters) if (waiter.block <= block.number) waiter.done.resolve(true);
    const now_ms = performance.now();
    if (block.number >= target || now_ms - this.#progress_ms < PROGRESS_EVERY_ms) return;
    this.#progress_ms = now_ms;
    this.#options.log.info({ block: block.number, of: target }, "reading the chain's events");
  }

  /** Finishes the current range and starts no other. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const waiter of this.#waiters) waiter.done.resolve(false);
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
  }

  /** A read that begins after this call. */
  async #lookAfresh(): Promise<SyncReport> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
    return await this.#look();
  }

  #look(): Promise<SyncReport> {
    this.#isAskedFor = false;
    const look = this.#lookOnce().finally(() => {
      this.#running = undefined;
      if (this.#isAskedFor) this.notify();
    });
    this.#running = look;
    return look;
  }

  async #lookOnce(): Promise<SyncReport> {
    try {
      const report = await this.#indexer.sync(() => this.#isStopped);
      this.#succeeded(report);
      return report;
    } catch (error) {
      if (!this.#isStopped) this.#failed(error);
      throw error;
    }
  }

  async #runSteps(): Promise<Record<string, unknown>> {
    const results: Record<string, unknown> = {};
    const failures: string[] = [];
    for (const { name, run } of this.#options.steps) {
      if (this.#isStopped) break;
      try {
        results[name] = await run();
      } catch (error) {
        failures.push(`${name}: ${plainReason(error)}`);
        this.#options.log.error({ err: error, step: name }, "a step after reading the chain failed");
      }
    }
    if (failures.length > 0) throw new Error(failures.join("; "));
    return results;
  }

  #succeeded(report: SyncReport): void {
    this.#synced = { at_ms: this.#options.clock.now(), report };
    this.#counts.events += report.events;
    this.#counts.undone += report.undone_events;
    this.#counts.rewinds += report.rewinds;
    if (report.rewinds > 0) this.#options.log.warn({ ...report }, "the chain was reorganised: events were taken back");
    this.#failures = 0;
    this.#notBefore_ms = 0;
    this.#lastError = undefined;
  }

  #failed(error: unknown): void {
    const { clock, log } = this.#options;
    this.#failures += 1;
    const pause_ms = this.#pause_ms();
    this.#counts.failures += 1;
    this.#notBefore_ms = clock.now() + pause_ms;
    this.#lastError = error instanceof ChainFault ? error : new Error(plainReason(error), { cause: error });
    log.error({ err: error, pause_ms }, "the chain's events could not be read");
  }

  /** Doubles each time, with random jitter between half and all of it, so that many clients of a lost node do not retry in step. */
  #pause_ms(): number {
    const longest = pauseAfter(this.#failures, RETRY_ms);
    const share = this.#options.random.bytes(2).readUInt16BE(0) / 0xffff;
    return Math.round(longest / 2 + (longest / 2) * share);
  }
}
