import { type AllScoredOptions, NotAllScored, waitUntilScored } from "../all-scored.ts";
import { refusals } from "../refusals.ts";
import type { Level } from "../scoring/levels.ts";
import { seasonOfEpoch } from "../seasons/season-store.ts";
import type { PointsDb } from "../tables.ts";
import { Board } from "./board.ts";
import { SeasonLevels } from "./season-levels.ts";
import { readTotals } from "./totals.ts";

export interface PastBoardsOptions extends AllScoredOptions {
  readonly db: PointsDb;
  readonly levels: () => Promise<readonly Level[]>;
  /** The number of wallets on all cached boards; a million take about 40 MB. */
  readonly mostWallets?: number;
}

const MAX_WALLETS = 3_000_000;
const MAX_BOARDS = 64;
/** How long to wait for the last trades of an epoch that has just ended. */
const PATIENCE_ms = 1_000;

/** T9: the boards of past epochs: of the last day, and of the whole epoch. */
export class PastBoards {
  readonly #options: PastBoardsOptions;
  /** The most recently used last. */
  readonly #boards = new Map<string, Board>();
  /** Boards are made one at a time, because each may contain a million wallets. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PastBoardsOptions) {
    this.#options = options;
  }

  async of(scope: "day" | "epoch", epoch: number): Promise<Board> {
    const key = `${scope} ${epoch}`;
    const kept = this.#boards.get(key);
    if (kept !== undefined) return this.#remember(key, kept);
    const made = this.#last.then(async () => this.#boards.get(key) ?? (await this.#build(scope, epoch)));
    this.#last = made.catch(() => undefined);
    return this.#remember(key, await made);
  }

  async #build(scope: "day" | "epoch", epoch: number): Promise<Board> {
    const { db, epochs, levels } = this.#options;
    try {
      // A cached board must be complete.
      await waitUntilScored(this.#options, epoch, PATIENCE_ms);
    } catch (error) {
      if (error instanceof NotAllScored) throw refusals.notReady();
      throw error;
    }
    const period = scope === "day" ? epochs.lastDayOf(epoch) : epoch;
    const season_no = (await seasonOfEpoch(db, epoch))?.season_no;
    return await Board.build(readTotals(db, scope, period), await SeasonLevels.read(db, season_no, await levels()));
  }

  #remember(key: string, board: Board): Board {
    this.#boards.delete(key);
    this.#boards.set(key, board);
    let wallets = 0;
    for (const { total } of this.#boards.values()) wallets += total;
    for (const [oldest, { total }] of this.#boards) {
      const isTooMuch = wallets > (this.#options.mostWallets ?? MAX_WALLETS) || this.#boards.size > MAX_BOARDS;
      if (!isTooMuch || oldest === key) break;
      this.#boards.delete(oldest);
      wallets -= total;
    }
    return board;
  }
}
