import type { RiskReport } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Segmented } from "../../kit/field.tsx";
import { Num } from "../../kit/number.tsx";
import { Notice, Page, Panel, Stat } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { counted } from "../frame/words.ts";
import { ClusterCard } from "./cluster-card.tsx";
import { useRisk, useRunningBonuses } from "./queries.ts";

const SCORES = ["50", "60", "70", "80", "90"] as const;
type Score = (typeof SCORES)[number];

function Figures({ report }: { readonly report: RiskReport }) {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Clusters" note={counted(report.total, "pair")} value={<Num value={report.clusters.length} />} />
      <Stat
        label="Linked wallets"
        note={`of ${counted(report.wallets_checked, "wallet")} checked`}
        value={<Num value={report.clusters.reduce((all, { wallets }) => all + wallets.length, 0)} />}
      />
      <Stat
        label="Transfers read up to block"
        note={report.funding_is_current ? "up to date" : "still catching up"}
        value={<Num value={report.funding_block} />}
      />
      <Stat label="Computed" note="computed on request" value={<Time at={report.generated_at} precision="clock" />} />
    </div>
  );
}

/** BON-12: wallets that may be one person. */
export function RiskPage() {
  const [score, setScore] = useState<Score>("50");
  const minScore = Number(score);
  const query = useRisk(minScore);
  const bonuses = useRunningBonuses().data;
  return (
    <Page
      title="Risk"
      lead="Bonus wallets that may belong to one person, by transfers, trades, results and network. From a score of 80, freezing is proposed."
      actions={
        <>
          <Segmented
            label="Minimum score"
            value={score}
            onChange={setScore}
            options={SCORES.map((value) => ({ value, label: `${value} +` }))}
          />
          <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
            Compute now
          </Button>
        </>
      }
    >
      <Async query={query} rows={10} rowHeight={48} loadingLabel="Computing links">
        {(report) => (
          <div className="flex flex-col gap-4">
            <Figures report={report} />
            {!report.funding_is_current && (
              <Notice>Not all transfers on the chain are read yet: links by transfers may be missing.</Notice>
            )}
            {report.items.length < report.total && (
              <Notice tone="neutral">
                {report.items.length} of {report.total} pairs are listed, the highest scores first.
              </Notice>
            )}
            {report.clusters.length === 0 && (
              <Panel>
                <EmptyState title="No linked wallets">No pair of bonus wallets reaches this score.</EmptyState>
              </Panel>
            )}
            {report.clusters.map((cluster) => (
              <ClusterCard
                key={cluster.id}
                cluster={cluster}
                pairs={report.items}
                bonuses={bonuses}
                minScore={minScore}
              />
            ))}
          </div>
        )}
      </Async>
    </Page>
  );
}
