import { setImmediate as nextTurn } from "node:timers/promises";
import { addressText, indexOfAddress, joined } from "../packed-pages.ts";
import { rankedOrder, ranksOf, type Scores } from "./ranking.ts";
import type { SeasonLevels } from "./season-levels.ts";
import type { TotalsPage } from "./totals.ts";

export interface BoardEntry {
  /** Starts at 1. */
  readonly rank: number;
  readonly address: string;
  readonly points_micros: bigint;
  /** Undefined for a wallet without points in the season. */
  readonly level: number | undefined;
}

/** Stored for wallets without a level; levels are stored as 0 to 5. */
const NO_LEVEL = -1;

interface BoardColumns {
  readonly addresses: Buffer;
  readonly points_micros: BigInt64Array;
  readonly levels: Int8Array;
}

/** Concatenates the pages, one page per turn of the event loop. */
async function columnsOf(pages: readonly TotalsPage[], season: SeasonLevels): Promise<BoardColumns & Scores> {
  const count = pages.reduce((sum, page) => sum + page.count, 0);
  const addresses = await joined(pages.map((page) => page.addresses));
  const [points_micros, levels] = [new BigInt64Array(count), new Int8Array(count)];
  const [about_micros, last_ms] = [new Float64Array(count), new Float64Array(count)];
  const levelOf = season.lookup();
  let filled = 0;
  for (const page of pages) {
    points_micros.set(page.points_micros, filled);
    for (let place = 0; place < page.count; place += 1) {
      about_micros[filled + place] = Number(page.points_micros[place]);
      last_ms[filled + place] = Number(page.last_ms[place]);
      levels[filled + place] = levelOf(page.addresses, place) ?? NO_LEVEL;
    }
    filled += page.count;
    await nextTurn();
  }
  return { addresses, points_micros, levels, about_micros, last_ms };
}

/** PTS-4: all wallets that scored in a period, ranked. Immutable; a refresh makes another one. */
export class Board {
  readonly #columns: BoardColumns;
  /** Indexes (in the order of addresses) by rank; and ranks by index. */
  readonly #order: Uint32Array;
  readonly #ranks: Uint32Array;

  private constructor({ addresses, points_micros, levels }: BoardColumns, order: Uint32Array, ranks: Uint32Array) {
    this.#columns = { addresses, points_micros, levels };
    this.#order = order;
    this.#ranks = ranks;
  }

  static readonly empty = new Board(
    { addresses: Buffer.alloc(0), points_micros: new BigInt64Array(0), levels: new Int8Array(0) },
    new Uint32Array(0),
    new Uint32Array(0),
  );

  /** The pages are in the order of addresses. */
  static async build(pages: AsyncIterable<TotalsPage>, season: SeasonLevels): Promise<Board> {
    const all: TotalsPage[] = [];
    for await (const page of pages) all.push(page);
    const columns = await columnsOf(all, season);
    const order = await rankedOrder(columns);
    return new Board(columns, order, await ranksOf(order));
  }

  get total(): number {
    return this.#order.length;
  }

  page(offset: number, limit: number): BoardEntry[] {
    const { addresses, points_micros, levels } = this.#columns;
    const entries: BoardEntry[] = [];
    const end = Math.min(offset + limit, this.total);
    for (let at = offset; at < end; at += 1) {
      const place = this.#order[at]!;
      const level = levels[place]!;
      entries.push({
        rank: at + 1,
        address: addressText(addresses, place),
        points_micros: points_micros[place]!,
        level: level === NO_LEVEL ? undefined : level,
      });
    }
    return entries;
  }

  /** Undefined for a wallet that is not on the board. */
  rankOf(address: string): number | undefined {
    const place = indexOfAddress(this.#columns.addresses, address);
    return place === -1 ? undefined : this.#ranks[place];
  }
}
