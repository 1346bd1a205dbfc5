import type { Database } from "../../kernel/database/database.ts";
import { dayNumberOf } from "../../kernel/dates.ts";
import { randomUuid, seededRandom } from "../../kernel/random.ts";
import type { Epochs } from "../epochs.ts";
import type { NewSeason, Season } from "../seasons/season-store.ts";
import { type PointsDb, pointsDb, SCOPES, type Scope } from "../tables.ts";

export const POINT_micros = 1_000_000n;

/** The wallet of a number: lower numbers have lower addresses. */
export const walletOf = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`;

/** Writes the program's rows directly, for tests that need seasons and points but no exchange. */
export class PointsBooks {
  readonly db: PointsDb;
  readonly #epochs: Epochs;
  readonly #random = seededRandom("points books");

  constructor(database: Pick<Database, "db">, epochs: Epochs) {
    this.db = pointsDb(database);
    this.#epochs = epochs;
  }

  /** As the earn job leaves it after all midnights up to this moment. */
  async earnDone(until_ms: number): Promise<void> {
    const watermark = new Date(until_ms);
    await this.db
      .insertInto("job_state")
      .values({ name: "points-earn", watermark })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ watermark }))
      .execute();
  }

  async season(draft: Partial<NewSeason> & Pick<Season, "start_epoch" | "end_epoch">): Promise<Season> {
    const snapshot_ms = this.#epochs.end_ms(draft.end_epoch);
    const stamp = new Date(this.#epochs.start_ms(draft.start_epoch));
    const values: NewSeason = {
      id: randomUuid(this.#random),
      season_no: draft.start_epoch,
      label: `Season of epoch ${draft.start_epoch}`,
      user_pool_tokens: 1_000_000n,
      mm_pool_tokens: 0n,
      status: "active",
      snapshot_at: new Date(snapshot_ms),
      distribution_at: new Date(snapshot_ms + 72 * 3_600_000),
      created_at: stamp,
      updated_at: stamp,
      ...draft,
    };
    return await this.db.insertInto("points_season").values(values).returningAll().executeTakeFirstOrThrow();
  }

  async total(scope: Scope, period: number, address: string, points_micros: bigint, last_ms = 0): Promise<void> {
    await this.totals(scope, period, [{ address, points_micros, last_ms }]);
  }

  async totals(
    scope: Scope,
    period: number,
    rows: readonly { readonly address: string; readonly points_micros: bigint; readonly last_ms: number }[],
  ): Promise<void> {
    const all = rows.map((row) => ({ ...row, scope: SCOPES[scope], period }));
    for (let at = 0; at < all.length; at += 1_000) {
      await this.db
        .insertInto("points_total")
        .values(all.slice(at, at + 1_000))
        .execute();
    }
  }

  /** Adds points to the totals of the moment's day and epoch, and of the given season. */
  async scored(
    address: string,
    points_micros: bigint,
    at_ms: number,
    season?: Pick<Season, "season_no">,
  ): Promise<void> {
    const periods: [Scope, number][] = [
      ["day", dayNumberOf(at_ms)],
      ["epoch", this.#epochs.of(at_ms)],
    ];
    if (season !== undefined) periods.push(["season", season.season_no]);
    for (const [scope, period] of periods) {
      await this.db
        .insertInto("points_total")
        .values({ scope: SCOPES[scope], period, address, points_micros, last_ms: at_ms })
        .onConflict((conflict) =>
          conflict.columns(["scope", "period", "address"]).doUpdateSet((eb) => ({
            points_micros: eb("points_total.points_micros", "+", points_micros),
            last_ms: at_ms,
          })),
        )
        .execute();
    }
  }

  async maker(address: string, volumes: Readonly<Record<number, bigint>>, isListed = true): Promise<void> {
    if (isListed) {
      await this.db
        .insertInto("points_maker")
        .values({ address, label: null, created_at: new Date(0) })
        .execute();
    }
    const rows = Object.entries(volumes).map(([epoch, volume_micros]) => ({
      epoch: Number(epoch),
      address,
      volume_micros,
    }));
    if (rows.length > 0) await this.db.insertInto("points_maker_volume").values(rows).execute();
  }
}
