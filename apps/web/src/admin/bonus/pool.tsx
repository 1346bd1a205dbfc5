import type { BonusReconcileReport } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { Num } from "../../kit/number.tsx";
import { Notice, Panel, Stat } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { fractionForDrawing, sum } from "../../lib/decimal.ts";
import { counted } from "../frame/words.ts";
import { headroomOf } from "./codes-draft.ts";
import { sayUsdt } from "./grant-draft.ts";
import { useReport } from "./queries.ts";

const USED_UP_SOON = 0.9;

/** Whether ledger and engine agree, with the time of the comparison. */
export function BooksTick({ report }: { readonly report: BonusReconcileReport }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      {report.ok ? (
        <CircleCheck size={15} className="text-good" aria-hidden="true" />
      ) : (
        <TriangleAlert size={15} className="text-warn" aria-hidden="true" />
      )}
      {report.ok ? "Both sides agree" : "The two sides differ"} <Time at={report.generated_at} precision="second" />
    </span>
  );
}

/** Why grants are stopped; renders nothing while they are not. */
export function GrantsStopped() {
  const report = useReport().data;
  if (report?.grants_stopped !== true) return null;
  return (
    <Notice>
      Grants are stopped: {report.stopped_reason ?? "the last reconciliation found a difference"}. See the{" "}
      <Link to="/admin/bonus" search={{ tab: "reconcile" }} className="underline">
        reconciliation
      </Link>
      .
    </Notice>
  );
}

/** What was granted from the pool against its cap. */
export function PoolUse() {
  const query = useReport();
  return (
    <Panel title="Pool">
      <Async query={query} rows={4} rowHeight={36} loadingLabel="Comparing both sides">
        {(report) => {
          const out = sum([report.net_outflow, report.in_flight_total]).toString();
          const fraction = fractionForDrawing(out, report.pool_cap_usdt);
          return (
            <div className="flex flex-col gap-4">
              <Progress
                label="Granted and not returned"
                tone={fraction > USED_UP_SOON ? "warn" : "accent"}
                fraction={fraction}
                figure={`${sayUsdt(out)} of ${sayUsdt(report.pool_cap_usdt)}`}
              />
              <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
                <Stat
                  label="Left in the pool, USDT"
                  className="bg-raised"
                  value={<Num value={headroomOf(report)} decimals={2} />}
                />
                <Stat
                  label="Running bonuses"
                  className="bg-raised"
                  value={
                    <Num
                      value={["active", "frozen", "expired_pending"].reduce(
                        (all, status) => all + (report.counts_by_status[status] ?? 0),
                        0,
                      )}
                    />
                  }
                />
                <Stat
                  label="Consumed by costs, USDT"
                  className="bg-raised"
                  note={
                    report.backing === null
                      ? "the chain does not answer"
                      : `${sayUsdt(report.backing.owed)} owed to the Vault`
                  }
                  value={<Num value={report.backing?.consumed} decimals={2} />}
                />
                <Stat
                  label="On their way, USDT"
                  className="bg-raised"
                  note={counted(report.in_flight_count, "grant")}
                  value={<Num value={report.in_flight_total} decimals={2} />}
                />
              </div>
              <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
                <BooksTick report={report} />
                <Link to="/admin/bonus" search={{ tab: "reconcile" }} className="text-accent hover:underline">
                  How it is calculated
                </Link>
              </p>
            </div>
          );
        }}
      </Async>
    </Panel>
  );
}
