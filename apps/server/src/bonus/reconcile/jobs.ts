import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusBacking } from "./backing.ts";
import type { Reconciliation } from "./reconciliation.ts";

export interface ReconcileJobsOptions {
  readonly reconciliation: Pick<Reconciliation, "run">;
  readonly backing: Pick<BonusBacking, "pay">;
}

/** BON-11, VLT-2. */
export const reconcileJobs = ({ reconciliation, backing }: ReconcileJobsOptions): readonly JobDefinition[] => [
  { name: "bonus-reconcile", schedule: "*/15 * * * *", missed: "latest", run: () => reconciliation.run() },
  { name: "bonus-backing", schedule: "5 * * * *", missed: "latest", run: () => backing.pay() },
];
