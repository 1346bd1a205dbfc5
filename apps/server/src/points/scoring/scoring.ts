import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { PointsOptions } from "../options.ts";

export interface Scoring {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createScoring(_options: PointsOptions): Scoring {
  return { jobs: [], register: () => {} };
}
