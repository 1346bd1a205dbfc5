import { QueryTable } from "../../kit/list.tsx";
import { Badge, Page, Panel, Stat } from "../../kit/panel.tsx";
import { Skeleton } from "../../kit/states.tsx";
import { Age } from "../../kit/time.tsx";
import { formatDuration } from "../../lib/time.ts";
import { useLiveness, useReadiness } from "./queries.ts";
import { meaningOfCheck, READINESS_WORDS } from "./readiness-words.ts";

/** RUN-7: the state of each part of the platform. */
export function HealthPage() {
  const readiness = useReadiness();
  const liveness = useLiveness();
  return (
    <Page title="Health" lead="The reply of /readyz, read every ten seconds.">
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat
          label="Platform"
          value={
            readiness.data === undefined ? (
              <Skeleton rows={1} rowHeight={28} />
            ) : (
              <Badge tone={readiness.data.status === "ready" ? "good" : "warn"}>
                {READINESS_WORDS[readiness.data.status]}
              </Badge>
            )
          }
        />
        <Stat
          label="The process has run for"
          value={
            liveness.data === undefined ? (
              <Skeleton rows={1} rowHeight={28} />
            ) : (
              formatDuration(liveness.data.uptime_s * 1000)
            )
          }
        />
        <Stat
          label="Read"
          value={
            readiness.dataUpdatedAt === 0 ? (
              "–"
            ) : (
              <>
                <Age since={readiness.dataUpdatedAt} /> ago
              </>
            )
          }
        />
      </div>
      <Panel title="Checks" isFlush>
        <QueryTable
          query={readiness}
          rowsOf={({ checks }) => Object.entries(checks)}
          label="Checks"
          keyOf={([name]) => name}
          columns={[
            {
              key: "ok",
              title: "State",
              width: "6rem",
              cell: ([, { ok }]) => <Badge tone={ok ? "good" : "warn"}>{ok ? "ok" : "fault"}</Badge>,
            },
            ["Part", ([name]) => <span className="font-medium">{name}</span>],
            ["Detail", ([, { detail }]) => detail],
            ["What it is", ([name]) => <span className="text-muted">{meaningOfCheck(name)}</span>, "secondary"],
          ]}
          loadingRows={8}
        />
      </Panel>
      <p className="text-sm text-muted">
        For monitoring:{" "}
        <a className="text-accent underline underline-offset-2" href="/metrics">
          metrics
        </a>
        ,{" "}
        <a className="text-accent underline underline-offset-2" href="/readyz">
          readiness
        </a>
        ,{" "}
        <a className="text-accent underline underline-offset-2" href="/docs/">
          API reference
        </a>
        .
      </p>
    </Page>
  );
}
