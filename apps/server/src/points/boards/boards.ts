import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { PointsOptions } from "../options.ts";

export interface Boards {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createBoards(_options: PointsOptions): Boards {
  return { jobs: [], register: () => {} };
}
