import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { ExpirySweep } from "./expiry.ts";
import type { BonusTimers } from "./timers.ts";
import type { ExpiryWarnings } from "./warnings.ts";

export interface AccountJobsOptions {
  readonly timers: BonusTimers;
  readonly sweep: ExpirySweep;
  readonly warnings: ExpiryWarnings;
}

/** BON-9: sweeps run at the due moments, and every minute to retry positions that could not be closed. */
export const accountJobs = ({ timers, sweep, warnings }: AccountJobsOptions): readonly JobDefinition[] => [
  {
    name: "bonus-expiry",
    schedule: "* * * * *",
    missed: "latest",
    dueBesides: (after_ms) => timers.nextAfter(after_ms),
    run: async () => ({ ...(await sweep.run()), ...(await warnings.send()) }),
  },
];
