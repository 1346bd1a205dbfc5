import { parseUnits } from "@bourse/money";
import { cursorKey } from "../../exchange/index.ts";
import { createJobLocks } from "../../kernel/database/locks.ts";
import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import type { Settings } from "../../settings/settings.ts";
import type { BonusOptions } from "../options.ts";
import { BonusCodes } from "./bonus-codes.ts";
import { Campaigns } from "./campaigns.ts";
import { CodeMaker } from "./code-text.ts";
import { GrantBatches } from "./grant-batches.ts";
import { Issuer } from "./issue.ts";
import { createGrantJobs } from "./jobs.ts";
import { GrantLists } from "./lists.ts";
import { Redemptions } from "./redemptions.ts";
import { registerGrantRoutes } from "./routes.ts";
import { WrongCodes } from "./wrong-codes.ts";

/** Grants and codes, as the platform uses them. */
export interface Grants {
  readonly jobs: readonly JobDefinition[];
  readonly campaigns: Campaigns;
  readonly batches: GrantBatches;
  readonly codes: BonusCodes;
  readonly redemptions: Redemptions;
  register(app: App): void;
}

/** The options of the bonus program that grants need. */
export interface GrantsOptions
  extends Pick<BonusOptions, "database" | "clock" | "random" | "audit" | "directory" | "exchange"> {
  readonly engineRequests: Pick<BonusOptions["engineRequests"], "tellAll" | "stored">;
  readonly settings: Pick<Settings, "environment" | "bonusPoolCap" | "secretsKey" | "jwtSecret">;
}

const USDT_DECIMALS = 6;

export function createGrants(options: GrantsOptions): Grants {
  const { settings, database } = options;
  const parts = {
    ...options,
    cap_micros: parseUnits(settings.bonusPoolCap, USDT_DECIMALS),
    // Requests of this process that wait for the lock hold no database connection.
    locks: createJobLocks(database),
    issuer: new Issuer(options),
    codeMaker: new CodeMaker(settings.secretsKey),
    wrongCodes: new WrongCodes(),
    cursors: new PageCursors(cursorKey(settings.jwtSecret)),
  };
  const campaigns = new Campaigns(parts);
  const batches = new GrantBatches(parts);
  const codes = new BonusCodes(parts);
  const redemptions = new Redemptions(parts);
  const lists = new GrantLists(parts);
  return {
    jobs: createGrantJobs(codes),
    campaigns,
    batches,
    codes,
    redemptions,
    register: (app) => {
      registerGrantRoutes(app, { batches, codes, campaigns, redemptions, lists });
      app.addHook("onReady", () => campaigns.seed());
    },
  };
}
