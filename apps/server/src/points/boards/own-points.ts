import type { OwnPoints } from "@bourse/api";
import { sql } from "kysely";
import { dayNumberOf } from "../../kernel/dates.ts";
import type { PointsOptions } from "../options.ts";
import { type Level, levelOf } from "../scoring/levels.ts";
import { type PointsDb, SCOPES } from "../tables.ts";
import { pointsText, refreshedAt, tierText } from "./lists.ts";
import type { Standing, Standings } from "./standings.ts";

export interface OwnPointsOptions extends Pick<PointsOptions, "clock" | "epochs"> {
  readonly db: PointsDb;
  /** Waits until all events of the wallet are written. */
  readonly written: (address: string) => Promise<void>;
  readonly standings: Standings;
  readonly levels: () => Promise<readonly Level[]>;
}

interface OwnTotals {
  readonly season_id: string | null;
  readonly season_no: number | null;
  readonly user_pool_tokens: bigint | null;
  readonly today: bigint | null;
  readonly epoch: bigint | null;
  readonly season: bigint | null;
  /** A sum of sums. */
  readonly all: string | null;
}

const POINT_micros = 1_000_000n;

const totalOf = (scope: keyof typeof SCOPES, period: ReturnType<typeof sql>, address: string) => sql`(
  select points_micros from points_total
  where scope = ${SCOPES[scope]}::smallint and period = ${period} and address = ${address})`;

async function readOwn(db: PointsDb, address: string, day: number, epoch: number): Promise<OwnTotals> {
  const { rows } = await sql<OwnTotals>`
    select s.id as season_id, s.season_no, s.user_pool_tokens,
      ${totalOf("day", sql`${day}::int`, address)} as today,
      ${totalOf("epoch", sql`${epoch}::int`, address)} as epoch,
      ${totalOf("season", sql`s.season_no`, address)} as season,
      (select sum(${totalOf("epoch", sql`number`, address)}) from generate_series(1, ${epoch}::int) as number) as all
    from (values (1)) as one
    left join points_season s on s.start_epoch <= ${epoch}::int and s.end_epoch >= ${epoch}::int`.execute(db);
  const [own] = rows;
  if (own === undefined) throw new Error("a left join of one row gave none");
  return own;
}

/** PTS-6: a wallet's points and ranks. The points are current, the ranks are those of the last refresh. */
export class OwnPointsReader {
  readonly #options: OwnPointsOptions;

  constructor(options: OwnPointsOptions) {
    this.#options = options;
  }

  async read(address: string): Promise<OwnPoints> {
    const { db, clock, epochs, levels, standings, written } = this.#options;
    await written(address);
    const standing = await standings.current();
    const now_ms = clock.now();
    const [day, epoch] = [dayNumberOf(now_ms), epochs.of(now_ms)];
    const own = await readOwn(db, address, day, epoch);
    const season_micros = own.season ?? 0n;
    const allLevels = await levels();
    const level = levelOf(allLevels, season_micros);
    return {
      address,
      epoch_number: epoch,
      season_id: own.season_id,
      points_today: pointsText(own.today ?? 0n),
      points_epoch: pointsText(own.epoch ?? 0n),
      points_season: pointsText(season_micros),
      points_total: pointsText(BigInt(own.all ?? 0)),
      // Right after midnight the last refresh may be of the previous day.
      rank_today: (standing.day === day ? standing.daily.rankOf(address) : undefined) ?? null,
      rank_epoch: (standing.epoch === epoch ? standing.whole.rankOf(address) : undefined) ?? null,
      level: level.level,
      tier: tierText(season_micros === 0n ? undefined : level.level),
      next_level: nextLevel(allLevels, level, season_micros),
      projected_tokens: projectedTokens(standing, own, season_micros * BigInt(level.weight)),
      refreshed_at: refreshedAt(standing.made_ms),
    };
  }
}

function nextLevel(levels: readonly Level[], { level }: Level, season_micros: bigint): OwnPoints["next_level"] {
  const next = levels.find((other) => other.level === level + 1);
  if (next === undefined) return null;
  const missing_micros = BigInt(next.points_min) * POINT_micros - season_micros;
  return { level: next.level, points_min: next.points_min, points_missing: pointsText(missing_micros) };
}

/** PTS-5 as of the last refresh, rounded down. Points scored since then count in both sides of the division. */
function projectedTokens({ season }: Standing, own: OwnTotals, claim: bigint): number | null {
  if (season === undefined || own.user_pool_tokens === null || season.season_no !== own.season_no) return null;
  const claims = season.claims > claim ? season.claims : claim;
  return claims === 0n ? 0 : Number((own.user_pool_tokens * claim) / claims);
}
