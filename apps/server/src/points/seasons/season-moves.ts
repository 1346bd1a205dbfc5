import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { waitUntilScored } from "../all-scored.ts";
import type { PointsOptions } from "../options.ts";
import { POINTS_BOOKS, pointsDb, pointsTx } from "../tables.ts";
import { type AllocatedTokens, allocate, assertStillSame } from "./allocation.ts";
import type { SeasonMoments } from "./season-moments.ts";
import {
  findSeason,
  listSeasons,
  lockSeason,
  SEASONS,
  type Season,
  type SeasonChange,
  writeSeason,
} from "./season-store.ts";
import { answerSeasonEvent, type SeasonEvent, type SeasonStatus } from "./states.ts";
import { dueEvent } from "./timing.ts";
import { hashText } from "./views.ts";

export type SeasonMovesOptions = Pick<
  PointsOptions,
  "database" | "clock" | "audit" | "epochs" | "exchange" | "projector"
> & {
  readonly moments: SeasonMoments;
  /** How long a snapshot waits for the season's trades to be written. */
  readonly patience_ms?: number;
};

/** What a run did, for whoever looks at the job. */
export interface SeasonStep {
  readonly season_no: number;
  readonly status: SeasonStatus;
  readonly snapshot?: ReturnType<typeof snapshotFigures>;
}

const PATIENCE_ms = 10_000;
const SYSTEM = { actor: "system", role: "system" };

/** PTS-2: moves seasons on when their time has come. */
export class SeasonMoves {
  readonly #options: SeasonMovesOptions;

  constructor(options: SeasonMovesOptions) {
    this.#options = options;
  }

  /** Makes every step that is due, in order, each in its own transaction. A season that cannot go on holds up no other. */
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
      // A snapshot holds everything up to the season's end.
      if (event === "end_reached") await waitUntilScored(this.#options, season.end_epoch, patience_ms);
      const step = await this.#step(id, event);
      if (step !== undefined) steps.push(step);
    }
  }

  /** Undefined where an admin has changed the season meanwhile, so that the step is not due any more. */
  async #step(id: string, event: SeasonEvent): Promise<SeasonStep | undefined> {
    const { database, epochs, clock, audit } = this.#options;
    return await database.db.transaction().execute(async (tx) => {
      await lockInTransaction(tx, SEASONS);
      const season = await lockSeason(pointsTx(tx), id);
      const now = new Date(clock.now());
      if (season === undefined || dueEvent(epochs, season, now.getTime()) !== event) return undefined;
      const answer = answerSeasonEvent(season.status, event);
      if (answer.kind === "refusal") throw new Error(`season ${season.season_no}: ${answer.reason}`);
      const { next } = answer;
      const allocated = next === "snapshot" ? await takeSnapshot(tx, season) : undefined;
      await writeSeason(pointsTx(tx), id, { status: next, updated_at: now, ...stampsOf(next, now, allocated) });
      const snapshot = allocated === undefined ? undefined : snapshotFigures(season, allocated);
      const after = { status: next, ...snapshot };
      const before = { status: season.status };
      await audit.append(tx, { ...SYSTEM, action: `points.season.${next}`, target: id, before, after });
      return { season_no: season.season_no, status: next, ...(snapshot === undefined ? {} : { snapshot }) };
    });
  }
}

/**
 * Splits the tokens, which takes a while when there are many wallets, and lets nobody score from then on until it is done
 * for good. Everything of the season is scored already; that nothing was added to it is looked at all the same.
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

/** What nobody has a claim to is named: it was not handed out. */
const snapshotFigures = (season: Season, { user_tokens, maker_tokens, root, leaf_count }: AllocatedTokens) => ({
  root: hashText(root),
  leaf_count,
  user_tokens: Number(user_tokens),
  mm_tokens: Number(maker_tokens),
  unallocated_user_tokens: Number(season.user_pool_tokens - user_tokens),
  unallocated_mm_tokens: Number(season.mm_pool_tokens - maker_tokens),
});
