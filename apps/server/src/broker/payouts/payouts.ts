import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BrokerOptions } from "../options.ts";

export interface Payouts {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createPayouts(_options: BrokerOptions): Payouts {
  return { jobs: [], register: () => undefined };
}
