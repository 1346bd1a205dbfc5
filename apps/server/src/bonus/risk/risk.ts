import type { ChainListener } from "../../chain/index.ts";
import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusOptions } from "../options.ts";
import { Assessments } from "./assessments.ts";
import { FundingListener } from "./funding-listener.ts";
import { riskJob } from "./jobs.ts";
import { LinkedFreezes } from "./linked-freezes.ts";
import { registerRiskRoutes } from "./routes.ts";
import { platformAddresses } from "./sources.ts";
import { TransferScan } from "./transfer-scan.ts";

/** The detection of linked wallets, as the platform uses it. */
export interface Risk {
  readonly jobs: readonly JobDefinition[];
  /** Records payments between wallets through the Vault. */
  readonly listener: ChainListener;
  register(app: App): void;
}

export function createRisk(options: BonusOptions): Risk {
  const platform = platformAddresses(options);
  const scan = new TransferScan({ ...options, platform });
  const assessments = new Assessments({ ...options, scan, platform });
  const freezes = new LinkedFreezes({ ...options, assessments });
  return {
    jobs: [riskJob({ ...options, assessments })],
    listener: new FundingListener(platform),
    register: (app) => {
      registerRiskRoutes(app, { assessments, freezes });
      // A long scan of the chain must not delay the shutdown.
      app.addHook("onClose", async () => scan.stop());
    },
  };
}
