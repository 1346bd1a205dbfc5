import type { ContractAddresses } from "@bourse/contracts";
import type { ChainClient, ChainListener, Operator } from "../chain/index.ts";
import type { AccountDirectory } from "../exchange/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { App } from "../kernel/http/app.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import { referralContractOn } from "./contract.ts";
import { Discounts, type TermsListener } from "./discounts.ts";
import { createReferralListener } from "./listener.ts";
import { ReferralReads } from "./reads.ts";
import { RebateSync } from "./rebate-sync.ts";
import { registerReferralRoutes } from "./routes.ts";
import { referralTx } from "./tables.ts";
import { TierAdmin } from "./tier-admin.ts";

export interface ReferralOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly contracts: Pick<ContractAddresses, "usdt" | "referral">;
  readonly engineRequests: Pick<EngineRequests, "tell">;
  readonly directory: Pick<AccountDirectory, "numbersOf" | "atOpening">;
}

/** The on-chain referral program, as the platform uses it. */
export interface Referral {
  readonly listener: ChainListener;
  /** For payouts. */
  readonly rebates: RebateSync;
  /** REF-4: for listeners that reward the owners of traders' codes. Call it before the first chain event is applied. */
  onTerms(listener: TermsListener): void;
  register(app: App): void;
}

/** Call it before the first account is opened: an account gets its wallet's discount when it is opened. */
export function createReferral(options: ReferralOptions): Referral {
  const { database, clock, random, log, audit, client, operator, contracts, engineRequests, directory } = options;
  const contract = referralContractOn(client, contracts.referral);
  const reads = new ReferralReads({ contract, operator: operator.address, clock, log });
  const tiers = new TierAdmin({ database, audit, random, log, operator, contractAddress: contract.address, reads });
  const discounts = new Discounts({ engineRequests, directory });
  directory.atOpening((tx, opened) => discounts.tellOpened(referralTx(tx), opened));
  return {
    listener: createReferralListener(discounts),
    rebates: new RebateSync({ database, clock, client, operator, contract, addresses: contracts }),
    onTerms: (listener) => discounts.onTerms(listener),
    register: (app) => registerReferralRoutes(app, { reads, tiers }),
  };
}
