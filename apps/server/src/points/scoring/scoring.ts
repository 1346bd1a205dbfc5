import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { PointsOptions } from "../options.ts";
import { EarnScoring, earnJob } from "./earn.ts";
import { LevelAdmin } from "./level-admin.ts";
import type { Level } from "./levels.ts";
import { Makers } from "./makers.ts";
import { registerScoringRoutes } from "./routes.ts";
import { Rules } from "./rules.ts";

export interface Scoring {
  readonly jobs: readonly JobDefinition[];
  readonly rules: Rules;
  /** All levels, in order; at most 10 s old where another process has changed them. */
  levels(): Promise<readonly Level[]>;
  register(app: App): void;
}

/** PTS-3: how points are reckoned. Fills are scored by a program of the projector (`fills.ts`), earn positions by a job. */
export function createScoring(options: PointsOptions): Scoring {
  const levels = new LevelAdmin(options);
  const rules = new Rules(options);
  const makers = new Makers(options);
  return {
    jobs: [earnJob(new EarnScoring(options))],
    rules,
    levels: () => levels.levels(),
    register: (app) => registerScoringRoutes(app, { levels, rules, makers }),
  };
}
