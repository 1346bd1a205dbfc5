import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusOptions } from "../options.ts";

export interface Risk {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createRisk(_options: BonusOptions): Risk {
  return { jobs: [], register: () => {} };
}
