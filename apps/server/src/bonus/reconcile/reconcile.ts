import type { Finding } from "../../exchange/admin/invariants.ts";
import type { App } from "../../kernel/http/app.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { BonusOptions } from "../options.ts";

export interface Reconcile {
  readonly jobs: readonly JobDefinition[];
  /** INV-3: whether the pool's ledger and the accounts agree. */
  invariant(): Promise<Finding>;
  register(app: App): void;
}

export function createReconcile(_options: BonusOptions): Reconcile {
  return { jobs: [], invariant: async () => ({ ok: null, detail: "nothing computes it yet" }), register: () => {} };
}
