import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusOptions } from "../options.ts";

export interface Accounts {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createAccounts(_options: BonusOptions): Accounts {
  return { jobs: [], register: () => {} };
}
