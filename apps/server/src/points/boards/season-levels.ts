import { ADDRESS_bytes, joined } from "../packed-pages.ts";
import { type Level, levelOf } from "../scoring/levels.ts";
import type { PointsDb } from "../tables.ts";
import { readTotals } from "./totals.ts";

/** The level of the wallet at this index of the packed addresses; undefined for one without points in the season. */
export type LevelLookup = (addresses: Buffer, place: number) => number | undefined;

/** The levels of all wallets of a season, and the sum of their weighted points (PTS-5). */
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

  /** Without a season no wallet has a level. */
  static async read(
    db: PointsDb,
    season_no: number | undefined,
    levels: readonly Level[],
    signal?: AbortSignal,
  ): Promise<SeasonLevels> {
    if (season_no === undefined) return SeasonLevels.none;
    const addresses: Buffer[] = [];
    const found: Uint8Array[] = [];
    let claims = 0n;
    for await (const page of readTotals(db, "season", season_no, signal)) {
      const pageLevels = new Uint8Array(page.count);
      for (let place = 0; place < page.count; place += 1) {
        const points_micros = page.points_micros[place]!;
        const { level, weight } = levelOf(levels, points_micros);
        pageLevels[place] = level;
        claims += points_micros * BigInt(weight);
      }
      addresses.push(page.addresses);
      found.push(pageLevels);
    }
    return new SeasonLevels(await joined(addresses), await joined(found), claims);
  }

  /** For wallets in the order of addresses: the lookup only moves forward. */
  lookup(): LevelLookup {
    const own = this.#addresses;
    let at = 0;
    return (addresses, place) => {
      const start = place * ADDRESS_bytes;
      let order = -1;
      while (at < own.length) {
        order = own.compare(addresses, start, start + ADDRESS_bytes, at, at + ADDRESS_bytes);
        if (order >= 0) break;
        at += ADDRESS_bytes;
      }
      return order === 0 ? this.#levels[at / ADDRESS_bytes] : undefined;
    };
  }
}
