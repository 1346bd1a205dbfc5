import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusCodes } from "./bonus-codes.ts";

/** Nothing waits for it: a code past its time is refused by its time, not by its mark. */
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
