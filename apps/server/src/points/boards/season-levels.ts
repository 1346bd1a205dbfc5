import { ADDRESS_bytes } from "../packed-pages.ts";
import { type Level, levelOf } from "../scoring/levels.ts";
import type { PointsDb } from "../tables.ts";
import { readPoints_micros, readTotals, TOTAL_bytes } from "./totals.ts";

/** The level of the packed row that begins at `at`; undefined for a wallet without points of the season. */
export type LevelLookup = (page: Buffer, at: number) => number | undefined;

/** The levels of all wallets of a season, and what their points come to with the weights (PTS-5). */
export class SeasonLevels {
  readonly #addresses: Buffer;
  readonly #levels: Uint8Array;
  readonly claims: bigint;

  private constructor(addresses: Buffer, levels: Uint8Array, claims: bigint) {
    this.#addresses = addresses;
    this.#levels = levels;
    this.claims = claims;
  }

  static readonly none = new SeasonLevels(Buffer.alloc(0), new Uint8Array(0), 0n);

  /** Without a season nobody has a level. */
  static async read(db: PointsDb, season_no: number | undefined, levels: readonly Level[]): Promise<SeasonLevels> {
    if (season_no === undefined) return SeasonLevels.none;
    const addresses: Buffer[] = [];
    const found: Buffer[] = [];
    let claims = 0n;
    for await (const page of readTotals(db, "season", season_no)) {
      const count = page.length / TOTAL_bytes;
      const [pageAddresses, pageLevels] = [Buffer.alloc(count * ADDRESS_bytes), Buffer.alloc(count)];
      for (let row = 0; row < count; row += 1) {
        const at = row * TOTAL_bytes;
        page.copy(pageAddresses, row * ADDRESS_bytes, at, at + ADDRESS_bytes);
        const points_micros = readPoints_micros(page, at);
        const { level, weight } = levelOf(levels, points_micros);
        pageLevels[row] = level;
        claims += points_micros * BigInt(weight);
      }
      addresses.push(pageAddresses);
      found.push(pageLevels);
    }
    return new SeasonLevels(Buffer.concat(addresses), Buffer.concat(found), claims);
  }

  /** For rows in the order of addresses: it walks along and never looks back. */
  lookup(): LevelLookup {
    const addresses = this.#addresses;
    const count = this.#levels.length;
    let place = 0;
    return (page, at) => {
      let order = -1;
      while (place < count) {
        const start = place * ADDRESS_bytes;
        order = addresses.compare(page, at, at + ADDRESS_bytes, start, start + ADDRESS_bytes);
        if (order >= 0) break;
        place += 1;
      }
      return order === 0 ? this.#levels[place] : undefined;
    };
  }
}
