import type { BonusReconcileReport } from "@bourse/api/client";
import { type ReactNode, useState } from "react";
import { useIsDevelopment } from "../../app/config.ts";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Num } from "../../kit/number.tsx";
import { Fact, Facts, Notice, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { staffApi } from "../../session/session.ts";
import { useWrite } from "../frame/write.ts";
import { BooksTick } from "./pool.tsx";
import { type BonusStatus, useReport } from "./queries.ts";
import { WalletLink } from "./wallet-link.tsx";
import { ledgerWords, STATUS_WORDS } from "./words.ts";

const JOB = "bonus-reconcile";
const usdt = (value: string) => <Num value={value} decimals={6} unit="USDT" />;

/** The job keeps the report, freezes accounts that differ, and stops or resumes grants. */
function RunJob() {
  const write = useWrite();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>Run the job now</Button>
      <ConfirmAction
        title="Run the reconciliation now"
        changes={[
          { what: "Report", after: "is kept" },
          { what: "Running accounts that do not add up", after: "are frozen" },
          { what: "New grants", after: "continue if everything agrees, stop if not" },
        ]}
        actionLabel={`Run ${JOB}`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          write(
            () => staffApi.dev.runJob(JOB),
            () => "The reconciliation has run.",
          )
        }
      />
    </>
  );
}

function Side({
  title,
  value,
  children,
}: {
  readonly title: string;
  readonly value: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-md bg-raised p-4">
      <h3 className="text-sm text-muted">{title}</h3>
      <span className="text-xl font-semibold">{usdt(value)}</span>
      <p className="text-xs text-faint">{children}</p>
    </div>
  );
}

function Comparison({ report }: { readonly report: BonusReconcileReport }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 md:grid-cols-3">
        <Side title="Net outflow, by the pool's ledger" value={report.net_outflow}>
          Grants less returns, as written when they were decided.
        </Side>
        <Side title="Outstanding, by the engine's accounts" value={report.outstanding_shadow_total}>
          Free, in margin and consumed, as read from the engine.
        </Side>
        <Side title="Difference" value={report.difference}>
          The tolerance is {report.tolerance} USDT.
        </Side>
      </div>
      <Facts className="lg:grid lg:grid-cols-2 lg:gap-x-10">
        <Fact name="Compared at the engine's command" value={<Num value={report.event_cursor} />} />
        <Fact name="Pool's cap" value={usdt(report.pool_cap_usdt)} />
        <Fact name="Within the cap" value={report.within_cap ? "yes" : "no"} />
        <Fact name="The pool's sums equal its lines" value={report.pool_sums_ok ? "yes" : "no"} />
        <Fact
          name="Grants under way"
          value={
            <>
              {report.in_flight_count}, {usdt(report.in_flight_total)}
            </>
          }
        />
        <Fact name="New grants" value={report.grants_stopped ? "stopped" : "are made"} />
      </Facts>
    </div>
  );
}

function Differences({ report }: { readonly report: BonusReconcileReport }) {
  return (
    <Panel title={`Accounts that do not add up: ${report.mismatching_count}`} isFlush>
      <Table
        label="Accounts that do not add up"
        rows={report.mismatching_accounts}
        keyOf={({ address, difference }) => `${address} ${difference}`}
        empty={<EmptyState title="Every account adds up" />}
        columns={[
          ["Wallet", ({ address }) => (address === null ? "none" : <WalletLink address={address} />)],
          ["By the ledger", ({ ledger }) => usdt(ledger), "number"],
          ["By the engine", ({ shadow }) => usdt(shadow), "number"],
          ["Difference", ({ difference }) => usdt(difference), "number"],
        ]}
      />
    </Panel>
  );
}

function InFlight({ report }: { readonly report: BonusReconcileReport }) {
  if (report.in_flight_count === 0) return null;
  return (
    <Panel title="Grants under way" isFlush>
      <Table
        label="Grants under way"
        rows={report.in_flight_grants}
        keyOf={({ address, granted_at }) => `${address} ${granted_at}`}
        columns={[
          ["Wallet", ({ address }) => <WalletLink address={address} />],
          ["Amount", ({ amount }) => usdt(amount), "number"],
          ["Granted", ({ granted_at }) => <Time at={granted_at} precision="second" />],
        ]}
      />
    </Panel>
  );
}

/** The figures behind both sums. */
function Sums({ report }: { readonly report: BonusReconcileReport }) {
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      <Panel title="Bonuses by status">
        <Facts>
          {Object.entries(report.counts_by_status).map(([status, count]) => (
            <Fact
              key={status}
              name={STATUS_WORDS[status as BonusStatus]?.label ?? status}
              value={<Num value={count} />}
            />
          ))}
        </Facts>
      </Panel>
      <Panel title="All lines of all accounts">
        <Facts>
          {Object.entries(report.sums_by_kind).map(([kind, total]) => (
            <Fact key={kind} name={ledgerWords(kind)} value={usdt(total)} />
          ))}
        </Facts>
      </Panel>
      <Panel title="Backing in the Vault">
        {report.backing === null ? (
          <EmptyState title="The chain does not answer">
            The chain knows how much was paid in for consumed bonuses.
          </EmptyState>
        ) : (
          <Facts>
            <Fact name="Consumed by costs" value={usdt(report.backing.consumed)} />
            <Fact name="Paid into the Vault" value={usdt(report.backing.contributed)} />
            <Fact name="Still owed by the pool" value={usdt(report.backing.owed)} />
          </Facts>
        )}
      </Panel>
    </div>
  );
}

/** BON-11: compares the pool's ledger with the engine's accounts. */
export function Reconcile() {
  const query = useReport();
  const isDevelopment = useIsDevelopment();
  return (
    <Async query={query} rows={12} rowHeight={44} loadingLabel="Comparing both sides">
      {(report) => (
        <div className="flex flex-col gap-4">
          {!report.within_cap && <Notice>More has left the pool than its cap allows.</Notice>}
          <Panel
            title={<BooksTick report={report} />}
            actions={
              <>
                <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
                  Compare now
                </Button>
                {isDevelopment && <RunJob />}
              </>
            }
          >
            <Comparison report={report} />
          </Panel>
          <Differences report={report} />
          <InFlight report={report} />
          <Sums report={report} />
        </div>
      )}
    </Async>
  );
}
