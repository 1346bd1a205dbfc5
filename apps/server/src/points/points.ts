import type { App } from "../kernel/http/app.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import { type Boards, createBoards } from "./boards/boards.ts";
import type { PointsOptions } from "./options.ts";
import { createScoring, type Scoring } from "./scoring/scoring.ts";
import { createSeasons, type Seasons } from "./seasons/seasons.ts";

/** The points program, as the platform uses it. */
export interface Points {
  readonly scoring: Scoring;
  readonly seasons: Seasons;
  readonly boards: Boards;
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

/** Connects the parts of the points program: scoring, seasons and boards. */
export function createPoints(options: PointsOptions): Points {
  const scoring = createScoring(options);
  const seasons = createSeasons(options);
  const boards = createBoards({ ...options, levels: () => scoring.levels() });
  // Jobs that are due together run in this order: the new day's first points, then the seasons, then the boards.
  const parts = [scoring, seasons, boards];
  return {
    scoring,
    seasons,
    boards,
    jobs: parts.flatMap(({ jobs }) => jobs),
    register: (app) => {
      for (const part of parts) part.register(app);
    },
  };
}
