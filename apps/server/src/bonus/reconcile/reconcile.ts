import { parseUnits } from "@bourse/money";
import type { Address } from "viem";
import { OperatorMoney } from "../../chain/index.ts";
import type { Finding } from "../../exchange/index.ts";
import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusControl } from "../accounts/control.ts";
import type { BonusOptions } from "../options.ts";
import { BonusBacking } from "./backing.ts";
import { reconcileJobs } from "./jobs.ts";
import { Reconciliation } from "./reconciliation.ts";
import { registerReconcileRoutes } from "./routes.ts";

export interface Reconcile {
  readonly jobs: readonly JobDefinition[];
  /** INV-3: whether the pool's ledger and the engine's accounts agree. */
  invariant(): Promise<Finding>;
  register(app: App): void;
}

export interface ReconcileOptions extends BonusOptions {
  readonly control: BonusControl;
}

const USDT_DECIMALS = 6;

/** The wallet that backs bonuses; undefined if it is the operator. */
function poolOf({ settings, operator }: ReconcileOptions): Address | undefined {
  const address = settings.bonusPoolAddress?.toLowerCase();
  return address === undefined || address === operator.address.toLowerCase() ? undefined : (address as Address);
}

export function createReconcile(options: ReconcileOptions): Reconcile {
  const money = new OperatorMoney({ ...options, usdt: options.contracts.usdt });
  const backing = new BonusBacking({ ...options, money, pool: poolOf(options) });
  const cap_micros = parseUnits(options.settings.bonusPoolCap, USDT_DECIMALS);
  const reconciliation = new Reconciliation({ ...options, backing, cap_micros });
  return {
    jobs: reconcileJobs({ reconciliation, backing }),
    invariant: () => reconciliation.invariant(),
    register: (app) => registerReconcileRoutes(app, reconciliation),
  };
}
