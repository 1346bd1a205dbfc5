import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusCodes } from "./bonus-codes.ts";

/** No rule depends on this job: redemption refuses expired codes by their time, not by their mark. */
export function createGrantJobs(codes: Pick<BonusCodes, "sweep">): readonly JobDefinition[] {
  return [
    {
      name: "bonus-codes",
      schedule: "5 * * * *",
      missed: "latest",
      run: ({ due_ms }) => codes.sweep(new Date(due_ms)),
    },
  ];
}
