import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { waitUntilScored } from "../all-scored.ts";
import { type Notes, SEASONS } from "../noted.ts";
import type { PointsOptions } from "../options.ts";
import { POINTS_BOOKS, pointsDb, pointsTx } from "../tables.ts";
import { type AllocatedTokens, allocate, assertStillSame } from "./allocation.ts";
import type { SeasonMoments } from "./season-moments.ts";
import {
  findSeason,
  listSeasons,
  lockSeason,
  noteSeason,
  type Season,
  type SeasonChange,
  writeSeason,
} from "./season-store.ts";
import { type SeasonEvent, type SeasonStatus, seasonStates } from "./states.ts";
import { dueEvent } from "./timing.ts";
import { hashText } from "./views.ts";

export type SeasonMovesOptions = Pick<
  PointsOptions,
  "database" | "clock" | "audit" | "epochs" | "exchange" | "projector"
> & {
  readonly engineRequests: Notes;
  readonly moments: SeasonMoments;
  /** How long a snapshot waits for the season's trades to be written. */
  readonly patience_ms?: number;
};

/** The steps of a run, for the job's report. */
export interface SeasonStep {
  readonly season_no: number;
  readonly status: SeasonStatus;
  readonly snapshot?: ReturnType<typeof snapshotFigures>;
}

const PATIENCE_ms = 10_000;
const SYSTEM = { actor: "system", role: "system" };

/** PTS-2: changes the status of seasons when their time has come. */
export class SeasonMoves {
  readonly #options: SeasonMovesOptions;

  constructor(options: SeasonMovesOptions) {
    this.#options = options;
  }

  /** Makes every due step in order, each in its own transaction. A season that fails does not stop the others. */
  async runDue(): Promise<SeasonStep[]> {
    const { database, moments } = this.#options;
    const steps: SeasonStep[] = [];
    const failures: unknown[] = [];
    for (const { id } of await listSeasons(pointsDb(database))) {
      try {
        await this.#catchUp(id, steps);
      } catch (error) {
        failures.push(error);
      }
    }
    await moments.load();
    if (failures.length > 0) throw failures[0];
    return steps;
  }

  async #catchUp(id: string, steps: SeasonStep[]): Promise<void> {
    const { database, epochs, clock, patience_ms = PATIENCE_ms } = this.#options;
    for (;;) {
      const season = await findSeason(pointsDb(database), id);
      const event = season === undefined ? undefined : dueEvent(epochs, season, clock.now());
      if (season === undefined || event === undefined) return;
      // A snapshot includes everything up to the season's end.
      if (event === "end_reached") await waitUntilScored(this.#options, season.end_epoch, patience_ms);
      const step = await this.#step(id, event);
      if (step !== undefined) steps.push(step);
    }
  }

  /** Undefined if an admin has changed the season meanwhile, so that the step is no longer due. */
  async #step(id: string, event: SeasonEvent): Promise<SeasonStep | undefined> {
    const { database, epochs, clock, audit, engineRequests } = this.#options;
    return await database.db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, SEASONS);
      const season = await lockSeason(pointsTx(tx), id);
      const now = new Date(clock.now());
      if (season === undefined || dueEvent(epochs, season, now.getTime()) !== event) return undefined;
      const next = seasonStates.next(season.status, event);
      const allocated = next === "snapshot" ? await takeSnapshot(tx, season) : undefined;
      await writeSeason(pointsTx(tx), id, { status: next, updated_at: now, ...stampsOf(next, now, allocated) });
      await noteSeason(engineRequests, pointsTx(tx), id);
      const snapshot = allocated === undefined ? undefined : snapshotFigures(season, allocated);
      const after = { status: next, ...snapshot };
      const before = { status: season.status };
      await audit.append(tx, { ...SYSTEM, action: `points.season.${next}`, target: id, before, after });
      return { season_no: season.season_no, status: next, ...(snapshot === undefined ? {} : { snapshot }) };
    });
  }
}

/**
 * Allocates the tokens, which takes a while with many wallets, then locks scoring until the commit. All points of the season are
 * scored already; it is checked nevertheless that none were added.
 */
async function takeSnapshot(tx: Tx, season: Season): Promise<AllocatedTokens> {
  const allocated = await allocate(pointsTx(tx), season);
  await lockInTransaction(tx, POINTS_BOOKS);
  await assertStillSame(pointsTx(tx), season);
  return allocated;
}

function stampsOf(status: SeasonStatus, now: Date, allocated: AllocatedTokens | undefined): SeasonChange {
  if (status === "distributing") return { distribution_started_at: now };
  if (status === "completed") return { completed_at: now };
  if (allocated === undefined) return {};
  return { snapshot_taken_at: now, root: allocated.root, leaf_count: allocated.leaf_count };
}

/** The log lines name tokens without claims: they were not distributed. */
const snapshotFigures = (season: Season, { user_tokens, maker_tokens, root, leaf_count }: AllocatedTokens) => ({
  root: hashText(root),
  leaf_count,
  user_tokens: Number(user_tokens),
  mm_tokens: Number(maker_tokens),
  unallocated_user_tokens: Number(season.user_pool_tokens - user_tokens),
  unallocated_mm_tokens: Number(season.mm_pool_tokens - maker_tokens),
});
