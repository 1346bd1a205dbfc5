import type { App } from "../kernel/http/app.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import type { BrokerOptions } from "./options.ts";
import { createPartners, type Partners } from "./partners/partners.ts";
import { createPayouts, type Payouts } from "./payouts/payouts.ts";
import { createReports } from "./reports/reports.ts";
import { createSettlement, type Settlement } from "./settlement/settlement.ts";

/** The broker program, as the platform uses it. */
export interface Broker {
  readonly partners: Partners;
  readonly settlement: Settlement;
  readonly payouts: Payouts;
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

/** Connects the parts of the broker program: partners, settlement, payouts and reports. */
export function createBroker(options: BrokerOptions): Broker {
  const partners = createPartners(options);
  const settlement = createSettlement(options);
  const payouts = createPayouts(options);
  const reports = createReports(options);
  const parts = [partners, settlement, payouts, reports];
  return {
    partners,
    settlement,
    payouts,
    jobs: parts.flatMap(({ jobs }) => jobs),
    register: (app) => {
      for (const part of parts) part.register(app);
    },
  };
}
