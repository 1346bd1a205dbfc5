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
  /** All levels, in order; at most 10 s old if another process has changed them. */
  levels(): Promise<readonly Level[]>;
  register(app: App): void;
}

/** PTS-3: scoring. A projection scores fills (`fills.ts`), a job scores earn positions. */
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
