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
  /** Wallets on all lists that are kept; a million take some 40 MB. */
  readonly mostWallets?: number;
}

const MOST_WALLETS = 3_000_000;
const MOST_BOARDS = 64;
/** For the last trades of an epoch that has just ended. */
const PATIENCE_ms = 1_000;

/** T9: lists of epochs that are over: of their last day, and of all of them. */
export class PastBoards {
  readonly #options: PastBoardsOptions;
  /** The one used last at the end. */
  readonly #boards = new Map<string, Board>();
  /** One is made at a time, whoever asks for how many: each may be a million wallets. */
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
      // A list that is kept must hold everything.
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
      const isTooMuch = wallets > (this.#options.mostWallets ?? MOST_WALLETS) || this.#boards.size > MOST_BOARDS;
      if (!isTooMuch || oldest === key) break;
      this.#boards.delete(oldest);
      wallets -= total;
    }
    return board;
  }
}
