import type { Clock } from "../../kernel/clock.ts";
import { dayNumberOf } from "../../kernel/dates.ts";
import type { Log } from "../../kernel/log.ts";
import type { Epochs } from "../epochs.ts";
import { refusals } from "../refusals.ts";
import type { Level } from "../scoring/levels.ts";
import { type Season, seasonOfEpoch } from "../seasons/season-store.ts";
import type { PointsDb } from "../tables.ts";
import { Board } from "./board.ts";
import { SeasonLevels } from "./season-levels.ts";
import { readTotals } from "./totals.ts";

/** PTS-4: the maximum age of a served board. A refresh runs every 300 s. */
const MAX_AGE_ms = 330_000;
/** PTS-4: how long the board may be empty after a start. */
const START_ms = 10_000;
const MAX_TRIES = 3;

/** The boards of one moment. Made and replaced as a whole. */
export interface Standing {
  /** All of it is at least as new as this moment. */
  readonly made_ms: number;
  readonly day: number;
  readonly epoch: number;
  /** Of the current day, and of the current epoch. */
  readonly daily: Board;
  readonly whole: Board;
  /** The season of the epoch, and the sum of its wallets' weighted points. */
  readonly season: (Pick<Season, "season_no"> & { readonly claims: bigint }) | undefined;
}

export interface StandingsOptions {
  readonly db: PointsDb;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly epochs: Epochs;
  readonly levels: () => Promise<readonly Level[]>;
}

/** PTS-4: keeps the newest standing in memory. */
export class Standings {
  readonly #options: StandingsOptions;
  #standing: Standing | undefined;
  #making: Promise<Standing> | undefined;
  #started_ms: number;
  readonly #stopping = new AbortController();

  constructor(options: StandingsOptions) {
    this.#options = options;
    this.#started_ms = options.clock.now();
  }

  /** Starts making the first standing in the background. */
  start(): void {
    const { clock, log } = this.#options;
    this.#started_ms = clock.now();
    this.#make().catch((err: unknown) => {
      if (!this.#stopping.signal.aborted) log.error({ err }, "the first points list could not be made");
    });
  }

  /** Must be called before the database is closed: aborts a refresh in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#settled();
  }

  /** Makes a new standing. If that fails, the previous one stays. */
  async refresh(): Promise<Standing> {
    await this.#settled();
    return await this.#make();
  }

  /** A standing that is not too old and, if given, of this epoch. Concurrent callers wait for the same refresh. */
  async current(epoch?: number): Promise<Standing> {
    const asked_ms = this.#options.clock.now();
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const now_ms = this.#options.clock.now();
      const standing = this.#standing ?? this.#beforeTheFirst(now_ms);
      // A standing whose refresh began after the call is new enough, however far the clock was moved meanwhile.
      const isNew = standing !== undefined && standing.made_ms >= Math.min(asked_ms, now_ms - MAX_AGE_ms);
      if (isNew && (epoch === undefined || standing.epoch === epoch)) return standing;
      await this.#make();
    }
    throw refusals.notReady();
  }

  #beforeTheFirst(now_ms: number): Standing | undefined {
    if (now_ms - this.#started_ms > START_ms) return undefined;
    const nothing = { daily: Board.empty, whole: Board.empty, season: undefined };
    return { made_ms: now_ms, day: dayNumberOf(now_ms), epoch: this.#options.epochs.of(now_ms), ...nothing };
  }

  /** Waits for the refresh in progress; its failure is reported to its callers only. */
  async #settled(): Promise<void> {
    while (this.#making !== undefined) await this.#making.catch(() => undefined);
  }

  #make(): Promise<Standing> {
    this.#making ??= this.#build()
      .then((standing) => {
        this.#standing = standing;
        return standing;
      })
      .finally(() => {
        this.#making = undefined;
      });
    return this.#making;
  }

  async #build(): Promise<Standing> {
    const { db, clock, epochs, levels } = this.#options;
    const { signal } = this.#stopping;
    const made_ms = clock.now();
    const day = dayNumberOf(made_ms);
    const epoch = epochs.of(made_ms);
    const season_no = (await seasonOfEpoch(db, epoch))?.season_no;
    const seasonLevels = await SeasonLevels.read(db, season_no, await levels(), signal);
    const daily = await Board.build(readTotals(db, "day", day, signal), seasonLevels);
    const whole = await Board.build(readTotals(db, "epoch", epoch, signal), seasonLevels);
    const season = season_no === undefined ? undefined : { season_no, claims: seasonLevels.claims };
    return { made_ms, day, epoch, daily, whole, season };
  }
}
