import type { PoolLine } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Countdown, Time } from "../../kit/time.tsx";
import { type BonusWithLines, balanceOfGrant, movesOf } from "./account-figures.ts";
import { type Control, ControlDialog } from "./control-dialog.tsx";
import { useAccount } from "./queries.ts";
import { POOL_WORDS, STATUS_MEANING, STATUS_WORDS } from "./words.ts";

const usdt = (value: string) => <Num value={value} decimals={6} unit="USDT" />;

/** Where every unit of the grant is now. */
function WhereItWent({ bonus }: { readonly bonus: BonusWithLines }) {
  const { granted, free, locked, consumed, returned, difference, addsUp } = balanceOfGrant(bonus);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-faint">Where the grant is</h3>
      <Facts>
        <Fact name="Granted" value={usdt(granted)} />
        <Fact name="Free in the account" value={usdt(free)} />
        <Fact name="In margin" value={usdt(locked)} />
        <Fact name="Consumed by costs" value={usdt(consumed)} />
        <Fact name="Back in the pool" value={usdt(returned)} />
        <Fact
          name={addsUp ? "Granted less the others" : "Does not add up by"}
          value={
            <span className="inline-flex items-center gap-1.5">
              {addsUp ? (
                <CircleCheck size={15} className="text-good" aria-label="Adds up" />
              ) : (
                <TriangleAlert size={15} className="text-warn" aria-label="Differs" />
              )}
              {usdt(difference)}
            </span>
          }
        />
      </Facts>
    </div>
  );
}

function Terms({ bonus }: { readonly bonus: BonusWithLines }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-faint">Terms</h3>
      <Facts>
        <Fact name="Tier" value={bonus.grant_tier} />
        <Fact name="Leverage at most" value={<>{bonus.max_leverage} ×</>} />
        <Fact name="Granted" value={<Time at={bonus.granted_at} precision="second" />} />
        <Fact name="Expires" value={<Time at={bonus.expires_at} precision="second" />} />
        {bonus.status === "active" || bonus.status === "frozen" ? (
          <Fact name="Time left" value={<Countdown until={bonus.expires_at} />} />
        ) : (
          <Fact name="Ended" value={<Time at={bonus.ended_at} precision="second" />} />
        )}
        {bonus.freeze_reason !== null && (
          <Fact name="Frozen because" value={<span className="whitespace-normal">{bonus.freeze_reason}</span>} />
        )}
        <Fact
          name="Batch"
          value={
            <Link
              to="/admin/bonus"
              search={{ tab: "batches", batch: bonus.grant_batch_id }}
              className="text-accent hover:underline"
            >
              to the batch
            </Link>
          }
        />
      </Facts>
    </div>
  );
}

function Bonus({ bonus }: { readonly bonus: BonusWithLines }) {
  const [action, setAction] = useState<Control>();
  const { canFreeze, canUnfreeze, canRecall, why } = movesOf(bonus);
  const { label, tone } = STATUS_WORDS[bonus.status];
  const isRunning = bonus.status !== "recalled" && bonus.status !== "refused";
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-2">
          Bonus {bonus.id}, campaign {bonus.campaign_id} <Badge tone={tone}>{label}</Badge>
        </span>
      }
      actions={
        isRunning && (
          <>
            {canUnfreeze ? (
              <Button onClick={() => setAction("unfreeze")}>Unfreeze</Button>
            ) : (
              <Button disabled={!canFreeze} onClick={() => setAction("freeze")}>
                Freeze
              </Button>
            )}
            <Button disabled={!canRecall} onClick={() => setAction("recall")}>
              Recall
            </Button>
          </>
        )
      }
    >
      <p className="pb-3 text-sm text-muted">
        {STATUS_MEANING[bonus.status]} {isRunning && why}
      </p>
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <WhereItWent bonus={bonus} />
        <Terms bonus={bonus} />
      </div>
      <h3 className="pt-5 pb-1 text-xs font-medium text-faint">Its lines in the pool's ledger</h3>
      <Table
        label={`The pool's ledger of bonus ${bonus.id}`}
        isDense
        rows={bonus.pool_lines}
        keyOf={({ kind, time, amount }) => `${kind} ${time} ${amount}`}
        columns={[
          ["Time", ({ time }) => <Time at={time} precision="second" />],
          ["What", ({ kind }) => POOL_WORDS[kind as PoolLine["kind"]] ?? kind],
          ["Amount", ({ amount }) => <Num value={amount} decimals={6} unit="USDT" />, "number"],
          ["The engine's command", ({ command_number }) => command_number ?? "under way", "number"],
        ]}
      />
      {action !== undefined && <ControlDialog account={bonus} control={action} onClose={() => setAction(undefined)} />}
    </Panel>
  );
}

/** All bonuses of a wallet, the newest first. */
export function AccountDetail({ address }: { readonly address: string }) {
  const query = useAccount(address);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="min-w-0 max-sm:max-w-full">
          <Hash value={address} isWhole />
        </span>
        <Link to="/admin/bonus" search={{ tab: "accounts" }} className="text-accent hover:underline">
          All wallets
        </Link>
      </div>
      <Async query={query} rows={12} rowHeight={40}>
        {({ bonuses }) => bonuses.map((bonus) => <Bonus key={bonus.id} bonus={bonus} />)}
      </Async>
    </div>
  );
}
