import type { BonusReconcileReport } from "@bourse/api/client";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Money } from "../../kit/number.tsx";
import { Badge, Panel } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { fractionForDrawing } from "../../lib/decimal.ts";

/** How much of the pool is granted, and whether ledger and engine agree. */
export function BonusPool({ query }: { readonly query: UseQueryResult<BonusReconcileReport> }) {
  return (
    <Panel
      title="Bonus pool"
      actions={
        <Link to="/admin/bonus" className="text-sm text-accent hover:underline">
          Bonus
        </Link>
      }
    >
      <Async query={query} rows={3} rowHeight={24}>
        {(report) => (
          <div className="flex flex-col gap-3">
            <Progress
              label="Granted and not returned"
              fraction={fractionForDrawing(report.net_outflow, report.pool_cap_usdt)}
              figure={
                <>
                  <Money value={report.net_outflow} unit="" /> of <Money value={report.pool_cap_usdt} />
                </>
              }
              tone={report.within_cap ? "accent" : "warn"}
            />
            <p className="text-sm text-muted">
              <Badge tone={report.ok ? "good" : "warn"}>{report.ok ? "reconciles" : "does not reconcile"}</Badge>{" "}
              Accounts hold and have consumed <Money value={report.outstanding_shadow_total} />, as of{" "}
              <Time at={report.generated_at} precision="second" />.
            </p>
          </div>
        )}
      </Async>
    </Panel>
  );
}
