import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BrokerOptions } from "../options.ts";
import { brokerDb } from "../tables.ts";
import { settlementJobs } from "./jobs.ts";
import { SettlementRoots } from "./roots.ts";
import { registerSettlementRoutes } from "./routes.ts";
import { SettlementService } from "./settlement-service.ts";

export interface Settlement {
  readonly service: SettlementService;
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

/** BRK-9 … BRK-13, BRK-17: turns summed fees into records with proofs. */
export function createSettlement(
  options: Pick<
    BrokerOptions,
    "database" | "clock" | "audit" | "cursors" | "engineRequests" | "exchange" | "projector"
  >,
): Settlement {
  const db = brokerDb(options.database);
  const service = new SettlementService(options);
  const roots = new SettlementRoots(db);
  return {
    service,
    jobs: settlementJobs(service),
    register: (app) => registerSettlementRoutes(app, { db, service, roots, cursors: options.cursors }),
  };
}
