import { BonusReconcileReport } from "@bourse/api";
import { bonusAdmin } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { schemaRefusal } from "../callers.ts";
import type { Reconciliation } from "./reconciliation.ts";

/** BON-11, interface 4.6. */
export function registerReconcileRoutes(app: App, reconciliation: Pick<Reconciliation, "report">): void {
  app.get(
    "/api/v1/bonus/admin/reconcile-report",
    {
      config: { access: bonusAdmin, client: "bonusAdmin.reconcileReport" },
      schemaErrorFormatter: schemaRefusal,
      schema: {
        tags: ["Bonus: administration"],
        summary: "Reconciliation of the pool's ledger with the accounts",
        description:
          "Changes nothing. Both sides are compared at one command of the engine, to the last unit; grants that the engine " +
          "had not heard of by then stand apart. The job `bonus-reconcile` makes the same comparison every 15 minutes and acts " +
          "on it.",
        response: { 200: BonusReconcileReport },
      },
    },
    () => reconciliation.report(),
  );
}
