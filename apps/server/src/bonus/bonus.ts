import type { App } from "../kernel/http/app.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import { type Accounts, createAccounts } from "./accounts/accounts.ts";
import { createGrants, type Grants } from "./grants/grants.ts";
import type { BonusOptions } from "./options.ts";
import { createReconcile, type Reconcile } from "./reconcile/reconcile.ts";
import { createRisk, type Risk } from "./risk/risk.ts";

/** The bonus program, as the platform uses it. */
export interface Bonus {
  readonly grants: Grants;
  readonly accounts: Accounts;
  readonly reconcile: Reconcile;
  readonly risk: Risk;
  readonly jobs: readonly JobDefinition[];
  register(app: App): void;
}

/** Connects the parts of the bonus program: grants, accounts, reconciliation and risk. */
export function createBonus(options: BonusOptions): Bonus {
  const grants = createGrants(options);
  const accounts = createAccounts(options);
  const reconcile = createReconcile({ ...options, control: accounts.control });
  const risk = createRisk(options);
  const parts = [grants, accounts, reconcile, risk];
  return {
    grants,
    accounts,
    reconcile,
    risk,
    jobs: parts.flatMap(({ jobs }) => jobs),
    register: (app) => {
      for (const part of parts) part.register(app);
    },
  };
}
