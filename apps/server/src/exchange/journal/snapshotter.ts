import { Worker } from "node:worker_threads";
import { type Engine, stateHash } from "@bourse/engine";
import { listSegments } from "../../kernel/journal/segments.ts";
import type { Applied } from "../host/exchange.ts";
import type { SnapshotMade, SnapshotOrder } from "./make-snapshot.ts";
import type { SegmentRetention } from "./segment-retention.ts";
import { listSnapshots } from "./snapshots.ts";

export const SNAPSHOT_EVERY_commands = 100_000;
/** Recovery cannot use snapshots ahead of the projector's cursor, so at most this many are made ahead of it. */
const MAX_UNPROJECTED = 2;
/** Up to this many accounts, positions and orders, hashing takes about 20 ms of the event loop. */
const MAX_HASHED_LIVE = 5_000;
/** Stopping must not take longer, and a snapshot only shortens the next start. */
const LAST_SNAPSHOT_LIMIT_ms = 4_000;

export interface SnapshotterOptions {
  readonly folder: string;
  /** The live engine, whose hash is compared with that of the replayed log. */
  readonly engine: Engine;
  /** The last command of the newest snapshot at the start. */
  readonly snapshotNumber: number;
  /** The projector's cursor. */
  readonly projectedNumber: () => number;
  /** LOG-8: which segments are removed with each new snapshot; all stay without it. */
  readonly segments?: SegmentRetention | undefined;
  /** LOG-8: where this journal is a copy, removes from the log itself what is before this command. */
  readonly forgetBefore?: ((number: number) => Promise<void>) | undefined;
  readonly onMade?: (made: SnapshotMade) => void;
  /** A line for the operator: an older snapshot that cannot be used, or old commands that could not be removed. */
  readonly onPassedOver: (line: string) => void;
  /** A snapshot could not be made, or it shows that memory and log disagree (`StateMismatch`, INV-6). */
  readonly onFault: (error: Error) => void;
  readonly every_commands?: number;
}

/**
 * Makes a snapshot at a fixed number of commands, in a thread that replays the log, so that trading is not blocked. The
 * live engine's hash is compared if the state is small enough, and always at the end.
 */
export class Snapshotter {
  readonly #options: SnapshotterOptions;
  readonly #every: number;
  #lastNumber: number;
  #running: Promise<void> | undefined;
  #worker: Worker | undefined;
  #lastMade: SnapshotMade | undefined;
  #lastFault: Error | undefined;
  #isOver = false;

  constructor(options: SnapshotterOptions) {
    this.#options = options;
    this.#every = options.every_commands ?? SNAPSHOT_EVERY_commands;
    this.#lastNumber = options.snapshotNumber;
  }

  /** The last command of the newest snapshot that was made or is being made. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  get lastMade(): SnapshotMade | undefined {
    return this.#lastMade;
  }

  /** The error of the last attempt; undefined if it succeeded. */
  get lastFault(): Error | undefined {
    return this.#lastFault;
  }

  /** For `Exchange.listen`. */
  readonly onApplied = ({ number }: Applied): void => {
    if (number - this.#lastNumber < this.#every || this.#running !== undefined) return;
    this.#start(number, this.#isSmall() ? this.#liveHash() : undefined, false);
  };

  /** Resolves when no snapshot is being made. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Makes the last snapshot. Called after the exchange has closed and the projector has written everything. */
  async close(limit_ms = LAST_SNAPSHOT_LIMIT_ms): Promise<void> {
    const limit = setTimeout(() => {
      this.#isOver = true;
      void this.#worker?.terminate();
    }, limit_ms);
    await this.#running;
    const { commandNumber } = this.#options.engine.state;
    if (commandNumber > this.#lastNumber) {
      this.#start(commandNumber, this.#liveHash(), true);
      await this.#running;
    }
    clearTimeout(limit);
  }

  #isSmall(): boolean {
    const { accounts, positions, pool } = this.#options.engine.state;
    return accounts.count + positions.count + pool.taken <= MAX_HASHED_LIVE;
  }

  #liveHash(): string {
    return stateHash(this.#options.engine.state);
  }

  #start(number: number, liveHash: string | undefined, isUrgent: boolean): void {
    const { onMade, onPassedOver, onFault } = this.#options;
    this.#lastNumber = number;
    this.#running = this.#make(number, liveHash, isUrgent).then(
      (made) => {
        this.#running = undefined;
        if (made === undefined) return;
        this.#lastMade = made;
        this.#lastFault = undefined;
        for (const line of made.passedOver) onPassedOver(line);
        onMade?.(made);
      },
      (error: Error) => {
        this.#running = undefined;
        this.#lastFault = error;
        onFault(error);
      },
    );
  }

  async #make(number: number, liveHash: string | undefined, isUrgent: boolean): Promise<SnapshotMade | undefined> {
    const { folder, segments } = this.#options;
    const projectedNumber = this.#options.projectedNumber();
    const unprojected = listSnapshots(folder).filter((snapshot) => snapshot.number > projectedNumber);
    if (unprojected.length >= MAX_UNPROJECTED) return undefined;
    const made = await this.#work({ folder, number, liveHash, projectedNumber, segments, isUrgent });
    if (segments !== undefined) await this.#forgetRemoved(folder);
    return made;
  }

  /** What the segments no longer have is archived, and no start needs it. */
  async #forgetRemoved(folder: string): Promise<void> {
    const { forgetBefore, onPassedOver } = this.#options;
    const firstNumber = listSegments(folder)[0]?.firstNumber ?? 1;
    if (forgetBefore === undefined || firstNumber === 1) return;
    try {
      await forgetBefore(firstNumber);
    } catch (error) {
      onPassedOver(`commands before ${firstNumber} stay in the log until the next snapshot: ${String(error)}`);
    }
  }

  #work(order: SnapshotOrder): Promise<SnapshotMade> {
    return new Promise((resolve, reject) => {
      const givenUp = () => reject(new Error(`the snapshot of command ${order.number} was given up`));
      if (this.#isOver) return givenUp();
      this.#worker = new Worker(new URL("./snapshot-worker.ts", import.meta.url), {
        workerData: order,
        name: "snapshot",
      });
      this.#worker.once("message", resolve);
      this.#worker.once("error", reject);
      this.#worker.once("exit", givenUp);
    });
  }
}
