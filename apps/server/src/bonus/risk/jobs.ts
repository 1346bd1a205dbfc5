import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { Assessments } from "./assessments.ts";
import { PROPOSED_score } from "./rules.ts";

/** BON-12: prepares the assessment in advance, so that a request for the list does not wait for it. */
export function riskJob(assessments: Pick<Assessments, "complete">): JobDefinition {
  return {
    name: "bonus-risk",
    schedule: "*/15 * * * *",
    missed: "latest",
    async run() {
      const { links, wallets, funding_block, isFundingCurrent } = await assessments.complete();
      const proposed = links.filter(({ score }) => score >= PROPOSED_score).length;
      return { wallets, listed: links.length, proposed, funding_block, funding_is_current: isFundingCurrent };
    },
  };
}
