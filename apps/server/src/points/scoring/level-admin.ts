import type { PointsLevels, PointsLevelsRequest } from "@bourse/api";
import { sql } from "kysely";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { readNoted } from "../../kernel/engine-requests/noted-rows.ts";
import type { Actor } from "../callers.ts";
import { LEVELS, LEVELS_LOCK, type Notes } from "../noted.ts";
import { refusals } from "../refusals.ts";
import { type PointsDb, pointsDb } from "../tables.ts";
import { readReason } from "./inputs.ts";
import { LAST_LEVEL, type Level } from "./levels.ts";

export interface LevelAdminOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly engineRequests: Notes;
}

/** How long levels are cached: another process may change them. */
const KEPT_ms = 10_000;

async function read(db: PointsDb): Promise<Level[]> {
  const rows = await db.selectFrom("points_level").selectAll().orderBy("level").execute();
  return rows.map(({ points_min, points_max, ...row }) => ({
    ...row,
    points_min: Number(points_min),
    points_max: points_max === null ? null : Number(points_max),
  }));
}

const invalid = (text: string) => refusals.invalidField("levels", text);

/** Parses levels 0 to 5 without gaps: each begins where the previous one ends. */
function readLevels({ levels }: PointsLevelsRequest): Level[] {
  const rows = levels.toSorted((a, b) => a.level - b.level);
  let next_min = 0;
  for (const [place, { level, points_min, points_max }] of rows.entries()) {
    if (level !== place) throw invalid(`must name each of the levels 0 to ${LAST_LEVEL} once`);
    if (points_min !== next_min) throw invalid(`must have level ${level} begin at ${next_min}`);
    if ((points_max === null) !== (level === LAST_LEVEL)) {
      throw invalid(`must have no points_max at level ${LAST_LEVEL}, and one at each below it`);
    }
    if (points_max === null) continue;
    if (points_max < points_min) throw invalid(`must have points_max of level ${level} not below its points_min`);
    next_min = points_max + 1;
  }
  return rows.map(({ level, points_min, points_max, weight }) => ({ level, points_min, points_max, weight }));
}

/** Interface 2.13: the levels and their weights. */
export class LevelAdmin {
  readonly #options: LevelAdminOptions;
  #kept: { readonly levels: readonly Level[]; readonly at_ms: number } | undefined;
  #loading: Promise<readonly Level[]> | undefined;

  constructor(options: LevelAdminOptions) {
    this.#options = options;
  }

  /** From the cache, if it is fresh. */
  async levels(): Promise<readonly Level[]> {
    const now_ms = this.#options.clock.now();
    if (this.#kept !== undefined && now_ms - this.#kept.at_ms < KEPT_ms) return this.#kept.levels;
    this.#loading ??= this.#load(now_ms);
    return await this.#loading;
  }

  async shown(): Promise<PointsLevels> {
    return { levels: await read(pointsDb(this.#options.database)) };
  }

  async set(request: PointsLevelsRequest, actor: Actor): Promise<PointsLevels> {
    const { database, audit, engineRequests } = this.#options;
    const levels = readLevels(request);
    const reason = readReason(request.reason);
    await pointsDb(database)
      .transaction()
      .execute(async (tx) => {
        // Serialised: two configurations must not be mixed.
        await lockInTransaction(tx, LEVELS_LOCK);
        const before = { levels: (await read(tx)).map((level) => ({ ...level })) };
        await tx.deleteFrom("points_level").execute();
        await tx.insertInto("points_level").values(levels).execute();
        await engineRequests.note(tx, LEVELS, await readNoted(tx, LEVELS, sql`true`));
        const after = { levels: levels.map((level) => ({ ...level })) };
        await audit.append(tx, { ...actor, action: "points.levels.set", target: "levels", before, after, reason });
      });
    // Later reads query the database; a read in progress may return the old levels.
    this.#kept = undefined;
    this.#loading = undefined;
    return { levels };
  }

  #load(at_ms: number): Promise<readonly Level[]> {
    const loading: Promise<readonly Level[]> = read(pointsDb(this.#options.database)).then(
      (levels) => {
        if (this.#loading === loading) this.#keep(levels, at_ms);
        return levels;
      },
      (error: unknown) => {
        if (this.#loading === loading) this.#loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  #keep(levels: readonly Level[], at_ms: number): void {
    this.#kept = { levels, at_ms };
    this.#loading = undefined;
  }
}
