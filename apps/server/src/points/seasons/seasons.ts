import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { PointsOptions } from "../options.ts";
import { pointsDb } from "../tables.ts";
import { AllocationProofs } from "./allocation-proofs.ts";
import { seasonJobs } from "./jobs.ts";
import { registerSeasonRoutes } from "./routes.ts";
import { SeasonAdmin } from "./season-admin.ts";
import { SeasonMoments } from "./season-moments.ts";
import { SeasonMoves } from "./season-moves.ts";

export interface Seasons {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

/** PTS-2, PTS-5: seasons from their start to the allocation of tokens. */
export function createSeasons(options: PointsOptions): Seasons {
  const db = pointsDb(options.database);
  const moments = new SeasonMoments(db, options.epochs);
  const moves = new SeasonMoves({ ...options, moments });
  const admin = new SeasonAdmin({ ...options, moments });
  return {
    jobs: seasonJobs(moves, moments),
    register: (app) => {
      registerSeasonRoutes(app, { db, admin, proofs: new AllocationProofs(db) });
      // Before the first job runs: a clock that is moved right after the start must stop at each moment.
      app.addHook("onReady", () => moments.load());
    },
  };
}
