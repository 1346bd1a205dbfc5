import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { PointsOptions } from "../options.ts";

export interface Seasons {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createSeasons(_options: PointsOptions): Seasons {
  return { jobs: [], register: () => {} };
}
