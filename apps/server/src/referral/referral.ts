import type { ContractAddresses } from "@bourse/contracts";
import type { ChainClient } from "../chain/client.ts";
import type { ChainListener } from "../chain/indexer/listener.ts";
import type { Operator } from "../chain/operator/operator.ts";
import type { AccountDirectory } from "../exchange/accounts/directory.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { App } from "../kernel/http/app.ts";
import type { Log } from "../kernel/log.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
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
  readonly outbox: Outbox;
  readonly directory: Pick<AccountDirectory, "numbersOf" | "atOpening">;
}

/** The on-chain referral program, as the platform sees it. */
export interface Referral {
  readonly listener: ChainListener;
  /** For payouts. */
  readonly rebates: RebateSync;
  /** REF-4: for whoever rewards the owners of traders' codes. To be called before the first event is followed. */
  onTerms(listener: TermsListener): void;
  register(app: App): void;
}

/** To be called before the first account is opened: those that are get the discount they have by then. */
export function createReferral(options: ReferralOptions): Referral {
  const { database, clock, random, log, audit, client, operator, contracts, outbox, directory } = options;
  const contract = referralContractOn(client, contracts.referral);
  const reads = new ReferralReads({ contract, operator: operator.address, clock, log });
  const tiers = new TierAdmin({ database, audit, random, log, operator, contractAddress: contract.address, reads });
  const discounts = new Discounts({ outbox, directory });
  directory.atOpening((tx, opened) => discounts.tellOpened(referralTx(tx), opened));
  return {
    listener: createReferralListener(discounts),
    rebates: new RebateSync({ database, clock, client, operator, contract, addresses: contracts }),
    onTerms: (listener) => discounts.onTerms(listener),
    register: (app) => registerReferralRoutes(app, { reads, tiers }),
  };
}
