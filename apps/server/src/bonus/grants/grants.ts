import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusOptions } from "../options.ts";

export interface Grants {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createGrants(_options: BonusOptions): Grants {
  return { jobs: [], register: () => {} };
}
