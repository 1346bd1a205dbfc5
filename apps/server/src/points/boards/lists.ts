import type { DailyBoard, EpochBoard, PointsBoardQuery } from "@bourse/api";
import type { Clock } from "../../kernel/clock.ts";
import { MINUTE_ms } from "../../kernel/dates.ts";
import { decimalText } from "../../kernel/units.ts";
import { dayText, type Epochs } from "../epochs.ts";
import { refusals } from "../refusals.ts";
import type { Board, BoardEntry } from "./board.ts";
import type { PastBoards } from "./past-boards.ts";
import type { Standings } from "./standings.ts";

const USUAL_ENTRIES = 100;
const MAX_ENTRIES = 500;
const MICRO_DIGITS = 6;

/** Points without trailing zeros: 1234.5. */
export const pointsText = (micros: number | bigint): string => decimalText(micros, MICRO_DIGITS);
export const tierText = (level: number | undefined): string | null => (level === undefined ? null : `L${level}`);
/** PTS-4: truncated to the minute. */
export const refreshedAt = (time_ms: number): string =>
  new Date(Math.floor(time_ms / MINUTE_ms) * MINUTE_ms).toISOString();

const entryView = ({ rank, address, level }: BoardEntry) => ({ rank, user_address: address, tier: tierText(level) });

/** A board and its time. */
interface Found {
  readonly board: Board;
  readonly epoch: number;
  readonly day: number;
  readonly made_ms: number;
}

export interface PointsListsOptions {
  readonly clock: Clock;
  readonly epochs: Epochs;
  readonly standings: Standings;
  readonly past: PastBoards;
}

/** Interface 4.5, PTS-4, T9: pages of the public leaderboards. */
export class PointsLists {
  readonly #options: PointsListsOptions;

  constructor(options: PointsListsOptions) {
    this.#options = options;
  }

  async daily(query: PointsBoardQuery): Promise<DailyBoard> {
    const { board, epoch, day, made_ms } = await this.#find("day", query.epoch);
    return {
      date: dayText(day),
      epoch_number: epoch,
      refreshed_at: refreshedAt(made_ms),
      total: board.total,
      entries: pageOf(board, query).map((entry) => ({
        ...entryView(entry),
        points_today: pointsText(entry.points_micros),
      })),
    };
  }

  async epoch(query: PointsBoardQuery): Promise<EpochBoard> {
    const { board, epoch, made_ms } = await this.#find("epoch", query.epoch);
    return {
      epoch_number: epoch,
      refreshed_at: refreshedAt(made_ms),
      total: board.total,
      entries: pageOf(board, query).map((entry) => ({ ...entryView(entry), points: pointsText(entry.points_micros) })),
    };
  }

  async #find(scope: "day" | "epoch", wanted: number | undefined): Promise<Found> {
    const { clock, epochs, standings, past } = this.#options;
    const current = epochs.of(clock.now());
    if (wanted !== undefined && wanted > current) throw refusals.epochNotFound(wanted, current);
    if (wanted !== undefined && wanted < current) {
      const board = await past.of(scope, wanted);
      // The board has not changed since the epoch's end.
      return { board, epoch: wanted, day: epochs.lastDayOf(wanted), made_ms: epochs.end_ms(wanted) };
    }
    const { daily, whole, epoch, day, made_ms } = await standings.current(wanted);
    return { board: scope === "day" ? daily : whole, epoch, day, made_ms };
  }
}

const pageOf = (board: Board, { limit = USUAL_ENTRIES, offset = 0 }: PointsBoardQuery): BoardEntry[] =>
  board.page(offset, Math.min(limit, MAX_ENTRIES));
