import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, CircleDot } from "lucide-react";
import { Page, Panel } from "../../kit/panel.tsx";
import { Skeleton } from "../../kit/states.tsx";
import { useInvariants, useJobs, useMarkets, useReadiness, useSwitches } from "../operations/queries.ts";
import { useNewestBatches } from "../settlement/queries.ts";
import { type Matter, mattersOf, type Signs } from "./attention.ts";
import { BonusPool } from "./bonus-pool.tsx";
import { PlatformCards } from "./platform-cards.tsx";
import { useReconcileReport } from "./queries.ts";
import { RebatePanels } from "./rebate-panels.tsx";

/** The newest batches: one that is open or under way is among them. */
const NEWEST_BATCHES = 20;

const LOOKS: Readonly<Record<Matter["kind"], string>> = { urgent: "text-warn", waiting: "text-muted" };

function Attention({ signs }: { readonly signs: Signs }) {
  const isWhole = Object.values(signs).every((sign) => sign !== undefined);
  const matters = mattersOf(signs);
  if (matters.length === 0 && !isWhole) return <Skeleton rows={1} rowHeight={28} label="Checking" />;
  if (matters.length === 0) {
    return (
      <p className="flex min-h-7 items-center gap-2 text-sm">
        <CircleCheck size={16} className="text-good" aria-hidden="true" /> Nothing needs attention.
      </p>
    );
  }
  return (
    <ul className="flex flex-col gap-1">
      {matters.map(({ kind, words, to }) => (
        <li key={words} className="flex min-h-7 items-center gap-2 text-sm">
          {kind === "urgent" ? (
            <CircleAlert size={16} className={LOOKS[kind]} aria-label="Urgent" />
          ) : (
            <CircleDot size={16} className={LOOKS[kind]} aria-label="Waiting" />
          )}
          <Link to={to} className="underline-offset-2 hover:underline">
            {words}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The platform at a glance; every figure leads to its page. */
export function DashboardPage() {
  const readiness = useReadiness();
  const invariants = useInvariants();
  const jobs = useJobs();
  const switches = useSwitches();
  const markets = useMarkets();
  const batches = useNewestBatches(NEWEST_BATCHES);
  const bonus = useReconcileReport();
  return (
    <Page title="Dashboard" lead="The platform at a glance. Every figure leads to its page.">
      <Panel title="Needs attention">
        <Attention
          signs={{
            readiness: readiness.data,
            invariants: invariants.data,
            jobs: jobs.data,
            switches: switches.data,
            markets: markets.data,
            batches: batches.data?.items,
            bonus: bonus.data,
          }}
        />
      </Panel>
      <PlatformCards
        readiness={readiness}
        invariants={invariants}
        jobs={jobs}
        switches={switches}
        markets={markets}
        batches={batches}
      />
      <RebatePanels />
      <BonusPool query={bonus} />
    </Page>
  );
}
