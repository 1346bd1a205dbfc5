import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BrokerOptions } from "../options.ts";

export interface Partners {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createPartners(_options: BrokerOptions): Partners {
  return { jobs: [], register: () => undefined };
}
