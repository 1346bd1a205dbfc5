import type { Database } from "../../kernel/database/database.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import type { Applied } from "../host/exchange.ts";
import { reread } from "../journal/rereading.ts";
import type { SegmentRetention } from "../journal/segment-retention.ts";
import { Snapshotter } from "../journal/snapshotter.ts";
import { readCursor } from "../projector/cursor.ts";
import { ProjectionFollower } from "../projector/projection-follower.ts";
import { type Follower, type FollowerOptions, openFollower } from "./node.ts";

export interface StandbyOptions
  extends Omit<FollowerOptions, "projectedNumber" | "onApplied" | "until" | "adoptsJournal"> {
  readonly database: Pick<Database, "db">;
  /** LOG-8: which segments of this copy are removed. */
  readonly segments?: SegmentRetention | undefined;
  readonly onError: (error: unknown) => void;
}

/** What a standby hands over: an engine at the end of the log that does not follow it yet, as `openFollower` gives it. */
export interface TakenOver extends Pick<Follower, "recovered" | "exchange"> {
  /** The commands behind one that the tables have, in order. */
  unwritten(cursor: number): AsyncIterable<Applied> | Iterable<Applied>;
}

/**
 * Follows the log in the place of a process that is not needed yet: engine, copy, snapshots and wallets are as new as the log,
 * and what the tables lack is in memory. So taking over replays nothing.
 */
export class Standby {
  readonly #options: StandbyOptions;
  readonly #follower: Follower;
  readonly #projection: ProjectionFollower;
  readonly #snapshotter: Snapshotter;

  private constructor(options: StandbyOptions, follower: Follower, projection: ProjectionFollower) {
    const { folder, onProgress, onError } = options;
    const { exchange, recovered } = follower;
    this.#options = options;
    this.#follower = follower;
    this.#projection = projection;
    this.#snapshotter = new Snapshotter({
      folder,
      engine: exchange.engine,
      snapshotNumber: recovered.snapshotNumber,
      projectedNumber: () => projection.cursor,
      segments: options.segments,
      onPassedOver: onProgress,
      onFault: onError,
    });
  }

  static async open(options: StandbyOptions): Promise<Standby> {
    const { database, onError } = options;
    const cursor = (await readCursor(database.db)).command_number;
    const projection = new ProjectionFollower({ database, cursor, onError });
    const follower = await openFollower({ ...options, projectedNumber: cursor, onApplied: projection.hear });
    const standby = new Standby(options, follower, projection);
    const { exchange, recovered } = follower;
    exchange.listen(projection.hear);
    exchange.listen(({ command }) => recovered.wallets.see(command, exchange.engine.state));
    exchange.listen(standby.#snapshotter.onApplied);
    exchange.start();
    return standby;
  }

  get recovered(): Follower["recovered"] {
    return this.#follower.recovered;
  }

  /** The last command that was applied here. */
  get commandNumber(): number {
    return this.#follower.exchange.engine.state.commandNumber;
  }

  /** The tables are told to hold everything up to this command. */
  moved(cursor: number): void {
    this.#projection.moved(cursor);
  }

  /** Stops following at the end of the log. Whoever wrote the tables before must have stopped. */
  async take(): Promise<TakenOver> {
    const { exchange, recovered } = this.#follower;
    await exchange.caughtUp();
    await exchange.stopFollowing();
    return {
      exchange: exchange.continued(),
      recovered: { ...recovered, snapshotNumber: this.#snapshotter.lastNumber, replayed: 0 },
      unwritten: (cursor) => this.#unwritten(cursor),
    };
  }

  #unwritten(cursor: number): AsyncIterable<Applied> | Iterable<Applied> {
    const { folder, onProgress } = this.#options;
    const { commandNumber } = this;
    if (cursor > commandNumber) {
      throw new LogFault(`the database has seen command ${cursor}, the stream of commands ends with ${commandNumber}`);
    }
    return this.#projection.since(cursor) ?? reread(folder, cursor + 1, commandNumber, onProgress);
  }
}
