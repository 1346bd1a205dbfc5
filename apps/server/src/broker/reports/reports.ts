import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BrokerOptions } from "../options.ts";

export interface Reports {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createReports(_options: BrokerOptions): Reports {
  return { jobs: [], register: () => undefined };
}
