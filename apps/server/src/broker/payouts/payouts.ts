import type { SyncStep } from "../../chain/index.ts";
import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { Check } from "../../kernel/readiness.ts";
import type { BrokerOptions } from "../options.ts";
import { PayoutBatches } from "./batches.ts";
import { PayoutConfirmations } from "./confirmations.ts";
import { PayoutPayments } from "./payments.ts";
import { PayoutLists } from "./payout-list.ts";
import { payoutsCheck } from "./payouts-check.ts";
import { registerPayoutRoutes } from "./routes.ts";

/** Payouts, as the platform uses them. */
export interface Payouts {
  readonly jobs: readonly JobDefinition[];
  /** Continues batches that are being paid, as part of the job `chain-sync`. */
  readonly step: SyncStep;
  readonly check: Check;
  readonly batches: PayoutBatches;
  register(app: App): void;
  /** Must be called before the chain and the database are closed. */
  stop(): Promise<void>;
}

export function createPayouts(options: BrokerOptions): Payouts {
  const batches = new PayoutBatches(options);
  const payments = new PayoutPayments(options);
  const confirmations = new PayoutConfirmations(options);
  const lists = new PayoutLists(options);
  return {
    // `chain-sync` continues payments.
    jobs: [],
    step: payments,
    check: payoutsCheck(options.database),
    batches,
    register: (app) => registerPayoutRoutes(app, { batches, payments, confirmations, lists }),
    stop: () => payments.stop(),
  };
}
