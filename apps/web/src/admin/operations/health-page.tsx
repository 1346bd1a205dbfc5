import { Badge, Page, Panel, Stat } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Age } from "../../kit/time.tsx";
import { formatDuration } from "../../lib/time.ts";
import { useLiveness, useReadiness } from "./queries.ts";
import { meaningOfCheck, READINESS_WORDS } from "./readiness-words.ts";

/** RUN-7: what each part of the platform says of itself. */
export function HealthPage() {
  const readiness = useReadiness();
  const liveness = useLiveness();
  return (
    <Page title="Health" lead="As /readyz says it, asked every ten seconds.">
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat label="Platform">
          {readiness.data === undefined ? (
            <Skeleton rows={1} rowHeight={28} />
          ) : (
            <Badge tone={readiness.data.status === "ready" ? "good" : "warn"}>
              {READINESS_WORDS[readiness.data.status]}
            </Badge>
          )}
        </Stat>
        <Stat label="The process has run for">
          {liveness.data === undefined ? (
            <Skeleton rows={1} rowHeight={28} />
          ) : (
            formatDuration(liveness.data.uptime_s * 1000)
          )}
        </Stat>
        <Stat label="Asked">
          {readiness.dataUpdatedAt === 0 ? (
            "–"
          ) : (
            <>
              <Age since={readiness.dataUpdatedAt} /> ago
            </>
          )}
        </Stat>
      </div>
      <Panel title="Checks" isFlush>
        <Async query={readiness} skeleton={<Skeleton rows={8} rowHeight={40} />}>
          {({ checks }) => (
            <Table
              label="Checks"
              rows={Object.entries(checks)}
              keyOf={([name]) => name}
              columns={[
                {
                  key: "ok",
                  title: "State",
                  width: "6rem",
                  cell: ([, { ok }]) => <Badge tone={ok ? "good" : "warn"}>{ok ? "ok" : "fault"}</Badge>,
                },
                { key: "name", title: "Part", cell: ([name]) => <span className="font-medium">{name}</span> },
                { key: "detail", title: "It says", cell: ([, { detail }]) => detail },
                {
                  key: "what",
                  title: "What it is",
                  isSecondary: true,
                  cell: ([name]) => <span className="text-muted">{meaningOfCheck(name)}</span>,
                },
              ]}
            />
          )}
        </Async>
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
