import { ADDRESS_bytes, addressText, indexOfAddress } from "../packed-pages.ts";
import { rankedOrder, ranksOf } from "./ranking.ts";
import type { LevelLookup, SeasonLevels } from "./season-levels.ts";
import { readLast_ms, readPoints_micros, TOTAL_bytes } from "./totals.ts";

export interface BoardEntry {
  /** From 1 on. */
  readonly rank: number;
  readonly address: string;
  readonly points_micros: bigint;
  /** Undefined for a wallet without points of the season. */
  readonly level: number | undefined;
}

/** For level 0 to 5 the number itself. */
const NO_LEVEL = -1;
const FIRST_CAPACITY = 1_024;

/** The wallets as they come from the database, in arrays that grow. */
class BoardRows {
  count = 0;
  addresses = Buffer.alloc(FIRST_CAPACITY * ADDRESS_bytes);
  points_micros = new BigInt64Array(FIRST_CAPACITY);
  about_micros = new Float64Array(FIRST_CAPACITY);
  last_ms = new Float64Array(FIRST_CAPACITY);
  levels = new Int8Array(FIRST_CAPACITY);

  add(page: Buffer, levelOf: LevelLookup): void {
    const rows = page.length / TOTAL_bytes;
    this.#makeRoom(this.count + rows);
    for (let row = 0; row < rows; row += 1) {
      const at = row * TOTAL_bytes;
      const place = this.count + row;
      page.copy(this.addresses, place * ADDRESS_bytes, at, at + ADDRESS_bytes);
      const points_micros = readPoints_micros(page, at);
      this.points_micros[place] = points_micros;
      this.about_micros[place] = Number(points_micros);
      this.last_ms[place] = readLast_ms(page, at);
      this.levels[place] = levelOf(page, at) ?? NO_LEVEL;
    }
    this.count += rows;
  }

  #makeRoom(needed: number): void {
    if (needed <= this.levels.length) return;
    const capacity = Math.max(needed, 2 * this.levels.length);
    this.addresses = Buffer.concat([this.addresses], capacity * ADDRESS_bytes);
    this.points_micros = copied(this.points_micros, new BigInt64Array(capacity));
    this.about_micros = copied(this.about_micros, new Float64Array(capacity));
    this.last_ms = copied(this.last_ms, new Float64Array(capacity));
    this.levels = copied(this.levels, new Int8Array(capacity));
  }
}

function copied<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** PTS-4: all wallets that scored in some time, ranked. It never changes; a refresh makes another one. */
export class Board {
  readonly #addresses: Buffer;
  readonly #points_micros: BigInt64Array;
  readonly #levels: Int8Array;
  /** Places in the order of addresses, by rank; and the ranks by place. */
  readonly #order: Uint32Array;
  readonly #ranks: Uint32Array;

  private constructor(rows: BoardRows, order: Uint32Array, ranks: Uint32Array) {
    const { count } = rows;
    this.#addresses = Buffer.from(rows.addresses.subarray(0, count * ADDRESS_bytes));
    this.#points_micros = rows.points_micros.slice(0, count);
    this.#levels = rows.levels.slice(0, count);
    this.#order = order;
    this.#ranks = ranks;
  }

  static readonly empty = new Board(new BoardRows(), new Uint32Array(0), new Uint32Array(0));

  /** Of pages of packed totals in the order of addresses. */
  static async build(pages: AsyncIterable<Buffer>, season: SeasonLevels): Promise<Board> {
    const rows = new BoardRows();
    const levelOf = season.lookup();
    for await (const page of pages) rows.add(page, levelOf);
    const order = await rankedOrder({
      points_micros: rows.points_micros.subarray(0, rows.count),
      about_micros: rows.about_micros.subarray(0, rows.count),
      last_ms: rows.last_ms.subarray(0, rows.count),
    });
    return new Board(rows, order, await ranksOf(order));
  }

  get total(): number {
    return this.#order.length;
  }

  page(offset: number, limit: number): BoardEntry[] {
    const entries: BoardEntry[] = [];
    const end = Math.min(offset + limit, this.total);
    for (let at = offset; at < end; at += 1) {
      const place = this.#order[at]!;
      const level = this.#levels[place]!;
      entries.push({
        rank: at + 1,
        address: addressText(this.#addresses, place),
        points_micros: this.#points_micros[place]!,
        level: level === NO_LEVEL ? undefined : level,
      });
    }
    return entries;
  }

  /** Undefined for a wallet that is not on it. */
  rankOf(address: string): number | undefined {
    const place = indexOfAddress(this.#addresses, address);
    return place === -1 ? undefined : this.#ranks[place];
  }
}
