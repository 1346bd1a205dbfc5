import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BrokerOptions } from "../options.ts";
import { brokerDb } from "../tables.ts";
import { registerReportRoutes } from "./routes.ts";

export interface Reports {
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

/** The read-only reports for partners and wallets. */
export function createReports({ database, clock }: Pick<BrokerOptions, "database" | "clock">): Reports {
  return { jobs: [], register: (app) => registerReportRoutes(app, { db: brokerDb(database), clock }) };
}
