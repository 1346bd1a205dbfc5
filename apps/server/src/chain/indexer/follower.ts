import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import { plainReason } from "../client.ts";
import type { ChainBlock } from "./block-range.ts";
import { ChainFault, type Indexer, type SyncReport } from "./indexer.ts";

export interface FollowerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Done at every poll, in this order, with the chain's events applied up to then. */
  readonly steps: readonly SyncStep[];
}

/** Something that goes on from what the chain has shown, such as the next payment or a product's next state. */
export interface SyncStep {
  readonly name: string;
  /** What is given back is shown to whoever ran the job by hand. A rejection fails the job; later steps go on. */
  run(): Promise<unknown>;
}

const FIRST_RETRY_ms = 1_000;
const LONGEST_RETRY_ms = 120_000;
/** A backfill says how far it is so often. */
const PROGRESS_EVERY_ms = 5_000;

interface Waiter {
  readonly block: number;
  readonly done: PromiseWithResolvers<boolean>;
}

/** When the indexer looks: at every poll, whenever somebody says that there is something, and later after a failure. */
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

  /** Why the last look failed; undefined when it did not. */
  get lastError(): Error | undefined {
    return this.#lastError;
  }

  get lastSync(): { readonly at_ms: number; readonly report: SyncReport } | undefined {
    return this.#synced;
  }

  /** The last block up to which everything was applied in this process. */
  get indexed(): ChainBlock | undefined {
    return this.#indexed;
  }

  /** Says that the chain has something new: it is looked at now, or right after the look that is under way. */
  notify(): void {
    if (this.#isStopped) return;
    this.#isAskedFor = true;
    if (this.#running !== undefined || this.#options.clock.now() < this.#notBefore_ms) return;
    // Whoever waits for the outcome asks for it; a failure is in `lastError` and the log.
    void this.#look().catch(() => undefined);
  }

  /** Looks now, whatever happened before, does the steps, and gives what was seen and done. */
  async sync(): Promise<Record<string, unknown>> {
    const report = await this.#lookAfresh();
    return { ...report, ...(await this.#runSteps()) };
  }

  /** The same, but not before the pause after a failure is over; until then the failure stands. */
  async poll(): Promise<Record<string, unknown>> {
    if (this.#lastError !== undefined && this.#options.clock.now() < this.#notBefore_ms) throw this.#lastError;
    return await this.sync();
  }

  /** Resolves with true once everything up to the block is applied, with false where that takes longer. */
  async reached(block: number, timeout_ms: number): Promise<boolean> {
    if (this.#indexed !== undefined && this.#indexed.number >= block) return true;
    const waiter: Waiter = { block, done: Promise.withResolvers<boolean>() };
    this.#waiters.add(waiter);
    const timer = setTimeout(() => waiter.done.resolve(false), timeout_ms);
    this.notify();
    try {
      return await waiter.done.promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  /**
   * Looks now, and says whether everything the chain did up to and at that moment is applied: there is no block beyond what
   * was read, or what was read is of a later time.
   */
  async isPast(time_ms: number): Promise<boolean> {
    const { head_block, indexed_block } = await this.#lookAfresh();
    // Before the first block of interest nothing can have happened.
    if (indexed_block === null || indexed_block === head_block) return true;
    return this.#indexed !== undefined && this.#indexed.time_ms > time_ms;
  }

  /** To be told by the indexer after each transaction. */
  advanced(block: ChainBlock, target: number): void {
    this.#indexed = block;
    for (const waiter of this.#waiters) if (waiter.block <= block.number) waiter.done.resolve(true);
    const now_ms = performance.now();
    if (block.number >= target || now_ms - this.#progress_ms < PROGRESS_EVERY_ms) return;
    this.#progress_ms = now_ms;
    this.#options.log.info({ block: block.number, of: target }, "reading the chain's events");
  }

  /** Finishes the range under way and begins no other. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const waiter of this.#waiters) waiter.done.resolve(false);
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
  }

  /** A look that began after it was asked for. */
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
    const pause_ms = this.#pause_ms();
    this.#failures += 1;
    this.#counts.failures += 1;
    this.#notBefore_ms = clock.now() + pause_ms;
    this.#lastError = error instanceof ChainFault ? error : new Error(plainReason(error), { cause: error });
    log.error({ err: error, pause_ms }, "the chain's events could not be read");
  }

  /** Twice as long each time, and between half of that and all of it, so that many who lost a node do not come in step. */
  #pause_ms(): number {
    const longest = Math.min(FIRST_RETRY_ms * 2 ** Math.min(this.#failures, 20), LONGEST_RETRY_ms);
    const share = this.#options.random.bytes(2).readUInt16BE(0) / 0xffff;
    return Math.round(longest / 2 + (longest / 2) * share);
  }
}
