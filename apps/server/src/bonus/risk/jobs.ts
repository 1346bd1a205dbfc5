import { RULES_WITH_FAIR_MARKETS } from "@bourse/engine";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { replaceHolds } from "../../wallet/index.ts";
import type { BonusOptions } from "../options.ts";
import type { Assessments } from "./assessments.ts";
import { linkedHolds, linkedTerms } from "./linked-holds.ts";
import { PROPOSED_score } from "./rules.ts";

export interface RiskJobOptions extends Pick<BonusOptions, "database" | "exchange"> {
  readonly assessments: Pick<Assessments, "complete">;
}

/**
 * BON-12: prepares the assessment in advance, so that a request for the list does not wait for it, and holds what linked wallets have
 * gained. The fills that it has counted are noted in the transaction that counts them.
 */
export function riskJob({ assessments, database, exchange }: RiskJobOptions): JobDefinition {
  return {
    name: "bonus-risk",
    schedule: "*/15 * * * *",
    missed: "latest",
    async run() {
      const assessment = await assessments.complete();
      const { links, wallets, funding_block, isFundingCurrent } = assessment;
      const isFair = exchange.engine.state.rulesVersion >= RULES_WITH_FAIR_MARKETS;
      const holds = isFair ? linkedHolds(assessment) : [];
      await database.db.transaction().execute((tx) => replaceHolds(tx, holds, linkedTerms(assessment.generated_ms)));
      const proposed = links.filter(({ score }) => score >= PROPOSED_score).length;
      return {
        wallets,
        listed: links.length,
        proposed,
        held: holds.length,
        funding_block,
        funding_is_current: isFundingCurrent,
      };
    },
  };
}
