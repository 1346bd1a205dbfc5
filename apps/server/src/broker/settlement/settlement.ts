import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BrokerOptions } from "../options.ts";

export interface Settlement {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createSettlement(_options: BrokerOptions): Settlement {
  return { jobs: [], register: () => undefined };
}
