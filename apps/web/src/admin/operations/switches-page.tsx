import type { AuditEntry, Switches } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Badge, Fact, Facts, Notice, Page, Panel } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { staffApi } from "../../session/session.ts";
import { ConfirmWithReason } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import { useLastAudit, useMarkets, useSwitches } from "./queries.ts";

const SWITCH_ACTION = "switch.withdrawals";

function TurnDialog({ switches, onClose }: { readonly switches: Switches; readonly onClose: () => void }) {
  const write = useWrite();
  const isPausing = !switches.withdrawals_paused_by_switch;
  return (
    <ConfirmWithReason
      title={isPausing ? "Pause withdrawals" : "Resume withdrawals"}
      changes={[
        { what: "Withdrawals", before: isPausing ? "running" : "paused", after: isPausing ? "paused" : "running" },
        {
          what: "New requests of everyone",
          after: isPausing ? "refused with WITHDRAWALS_PAUSED" : "accepted again",
        },
        { what: "Balances, trading, deposits", after: "untouched" },
      ]}
      actionLabel={isPausing ? "Pause withdrawals of the whole platform" : "Resume withdrawals of the whole platform"}
      onClose={onClose}
      onConfirm={(reason) =>
        write(
          () => staffApi.exchangeAdmin.setSwitches({ withdrawals_paused: isPausing, ...reason }),
          (now) => (now.withdrawals_paused ? "Withdrawals are paused." : "Withdrawals are running."),
        )
      }
    />
  );
}

function LastTurn({ entry }: { readonly entry: AuditEntry | null | undefined }) {
  if (entry === undefined) return <Skeleton rows={3} rowHeight={22} />;
  if (entry === null) return <p className="text-sm text-muted">It was never changed.</p>;
  return (
    <Facts>
      <Fact name="Since" value={<Time at={entry.at} precision="second" />} />
      <Fact name={`Changed by (${entry.role})`} value={<Hash value={entry.actor} of="actor" />} />
      <Fact name="Reason" value={entry.reason ?? "none given"} />
    </Facts>
  );
}

function WithdrawalSwitch({ switches }: { readonly switches: Switches }) {
  const [isAsking, setAsking] = useState(false);
  const { data: last } = useLastAudit(SWITCH_ACTION);
  const { withdrawals_paused, withdrawals_paused_by_setting, withdrawals_paused_by_switch } = switches;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="flex items-center gap-2 text-base">
          <Badge tone={withdrawals_paused ? "warn" : "accent"}>{withdrawals_paused ? "paused" : "running"}</Badge>
          {withdrawals_paused ? "Withdrawals are paused." : "Withdrawals are running."}
        </p>
        {withdrawals_paused_by_setting ? (
          <span className="flex items-center gap-2 text-sm text-muted">
            <Lock size={14} aria-hidden="true" /> Locked by the setting WITHDRAWALS_PAUSED
          </span>
        ) : (
          <Button look={withdrawals_paused_by_switch ? "primary" : "danger"} onClick={() => setAsking(true)}>
            {withdrawals_paused_by_switch ? "Resume withdrawals" : "Pause withdrawals"}
          </Button>
        )}
      </div>
      {withdrawals_paused_by_setting && (
        <Notice>
          The server was started with WITHDRAWALS_PAUSED=true, which wins over the switch. Change the setting and
          restart to let withdrawals run; the switch itself is {withdrawals_paused_by_switch ? "on" : "off"}.
        </Notice>
      )}
      <p className="text-sm text-muted">
        While paused, every new withdrawal is refused. Balances do not change; trading, deposits and withdrawals already
        under way on the chain continue.
      </p>
      <LastTurn entry={last} />
      {isAsking && <TurnDialog switches={switches} onClose={() => setAsking(false)} />}
    </div>
  );
}

function HaltedMarkets() {
  const markets = useMarkets();
  return (
    <Async query={markets} rows={2} rowHeight={22}>
      {(rows) => {
        const stopped = rows.filter(({ status }) => status !== "trading");
        return (
          <p className="text-sm text-muted">
            {stopped.length === 0
              ? `All ${rows.length} markets trade.`
              : stopped.map(({ symbol, status }) => `${symbol} ${status.replace("_", "-")}`).join(", ")}{" "}
            <Link to="/admin/markets" className="text-accent underline underline-offset-2">
              Halt or resume a market
            </Link>
          </p>
        );
      }}
    </Async>
  );
}

/** VLT-1: what an admin can stop at once. */
export function SwitchesPage() {
  const switches = useSwitches();
  return (
    <Page
      title="Kill switches"
      lead="They apply to the whole platform, survive a restart and are recorded in the audit log."
    >
      <Panel title="Withdrawals">
        <Async query={switches} rows={6} rowHeight={28}>
          {(states) => <WithdrawalSwitch switches={states} />}
        </Async>
      </Panel>
      <Panel title="Markets">
        <HaltedMarkets />
      </Panel>
    </Page>
  );
}
