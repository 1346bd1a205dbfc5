import { Link } from "@tanstack/react-router";
import { Hash } from "../../kit/hash.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { useRoot } from "./queries.ts";

/** The Merkle root of a settled day, which covers every record. */
export function RootPanel({ period }: { readonly period: string }) {
  const query = useRoot(period);
  return (
    <Panel
      title={`Root of ${period}`}
      actions={
        <Link to="/admin/records" search={{ period, status: "all" }} className="text-sm text-accent hover:underline">
          Its records
        </Link>
      }
    >
      <Async query={query} rows={5} rowHeight={22}>
        {(root) =>
          root === null ? (
            <EmptyState title="This day has not been settled yet" className="py-4">
              Settle it above, or wait for the job.
            </EmptyState>
          ) : (
            <>
              <Facts>
                <Fact
                  name="State"
                  value={<Badge tone={root.status === "closed" ? "accent" : "neutral"}>{root.status}</Badge>}
                />
                <Fact name="Merkle root" value={<Hash value={root.root} of="root" />} />
                <Fact name="Records under it" value={root.leaf_count} />
                <Fact name="Revision" value={root.revision} />
                <Fact name="Calculated" value={<Time at={root.calculated_at} precision="second" />} />
              </Facts>
              {root.history.length > 1 && (
                <details className="mt-3 text-sm">
                  <summary className="text-muted">All {root.history.length} roots the day has had</summary>
                  <ol className="mt-2 flex flex-col gap-1">
                    {root.history.map((past) => (
                      <li key={past.revision} className="flex flex-wrap items-center justify-between gap-2">
                        <span className="num text-muted">
                          {past.revision}. <Time at={past.created_at} /> · {past.leaf_count} records
                        </span>
                        <Hash value={past.root} of={`root ${past.revision}`} />
                      </li>
                    ))}
                  </ol>
                </details>
              )}
            </>
          )
        }
      </Async>
    </Panel>
  );
}
