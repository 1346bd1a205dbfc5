import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusOptions } from "../options.ts";
import { BonusControl } from "./control.ts";
import { ExpirySweep } from "./expiry.ts";
import { accountJobs } from "./jobs.ts";
import { BonusLists } from "./lists.ts";
import { registerAccountRoutes } from "./routes.ts";
import { BonusTimers } from "./timers.ts";
import { ExpiryWarnings } from "./warnings.ts";

/** The life of granted bonuses, as the other parts of the program use it. */
export interface Accounts {
  readonly control: BonusControl;
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

export function createAccounts(options: BonusOptions): Accounts {
  const control = new BonusControl(options);
  const lists = new BonusLists(options);
  const timers = new BonusTimers(options.exchange);
  const sweep = new ExpirySweep({ ...options, timers });
  const warnings = new ExpiryWarnings(options);
  return {
    control,
    jobs: accountJobs({ timers, sweep, warnings }),
    register: (app) => registerAccountRoutes(app, { ...options, control, lists }),
  };
}
