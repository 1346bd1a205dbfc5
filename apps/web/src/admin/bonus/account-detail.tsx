import type { PoolLine } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Countdown, Time } from "../../kit/time.tsx";
import { type BonusWithLines, movesOf, reckon } from "./account-figures.ts";
import { type Control, ControlDialog } from "./control-dialog.tsx";
import { useAccount } from "./queries.ts";
import { POOL_WORDS, STATUS_MEANING, STATUS_WORDS } from "./words.ts";

const usdt = (value: string) => <Num value={value} decimals={6} unit="USDT" />;

/** Every unit of the grant: where it is, or what became of it. */
function WhereItWent({ bonus }: { readonly bonus: BonusWithLines }) {
  const { granted, free, locked, consumed, returned, difference, addsUp } = reckon(bonus);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-faint">Where the grant is</h3>
      <Facts>
        <Fact name="Granted">{usdt(granted)}</Fact>
        <Fact name="Free in the account">{usdt(free)}</Fact>
        <Fact name="In margin">{usdt(locked)}</Fact>
        <Fact name="Consumed by costs">{usdt(consumed)}</Fact>
        <Fact name="Back in the pool">{usdt(returned)}</Fact>
        <Fact name={addsUp ? "Granted less the others" : "Does not add up by"}>
          <span className="inline-flex items-center gap-1.5">
            {addsUp ? (
              <CircleCheck size={15} className="text-good" aria-label="Adds up" />
            ) : (
              <TriangleAlert size={15} className="text-warn" aria-label="Differs" />
            )}
            {usdt(difference)}
          </span>
        </Fact>
      </Facts>
    </div>
  );
}

function Terms({ bonus }: { readonly bonus: BonusWithLines }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-faint">Terms</h3>
      <Facts>
        <Fact name="Tier">{bonus.grant_tier}</Fact>
        <Fact name="Leverage at most">{bonus.max_leverage} ×</Fact>
        <Fact name="Granted">
          <Time at={bonus.granted_at} precision="second" />
        </Fact>
        <Fact name="Expires">
          <Time at={bonus.expires_at} precision="second" />
        </Fact>
        {bonus.status === "active" || bonus.status === "frozen" ? (
          <Fact name="Time left">
            <Countdown until={bonus.expires_at} />
          </Fact>
        ) : (
          <Fact name="Ended">
            <Time at={bonus.ended_at} precision="second" />
          </Fact>
        )}
        {bonus.freeze_reason !== null && (
          <Fact name="Frozen because">
            <span className="whitespace-normal">{bonus.freeze_reason}</span>
          </Fact>
        )}
        <Fact name="Batch">
          <Link
            to="/admin/bonus"
            search={{ tab: "batches", batch: bonus.grant_batch_id }}
            className="text-accent hover:underline"
          >
            to the batch
          </Link>
        </Fact>
      </Facts>
    </div>
  );
}

function Bonus({ bonus }: { readonly bonus: BonusWithLines }) {
  const [wish, setWish] = useState<Control>();
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
              <Button onClick={() => setWish("unfreeze")}>Unfreeze</Button>
            ) : (
              <Button disabled={!canFreeze} onClick={() => setWish("freeze")}>
                Freeze
              </Button>
            )}
            <Button disabled={!canRecall} onClick={() => setWish("recall")}>
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
      <h3 className="pt-5 pb-1 text-xs font-medium text-faint">The pool's ledger of it</h3>
      <Table
        label={`The pool's ledger of bonus ${bonus.id}`}
        isDense
        rows={bonus.pool_lines}
        keyOf={({ kind, time, amount }) => `${kind} ${time} ${amount}`}
        columns={[
          { key: "time", title: "Time", cell: ({ time }) => <Time at={time} precision="second" /> },
          { key: "kind", title: "What", cell: ({ kind }) => POOL_WORDS[kind as PoolLine["kind"]] ?? kind },
          {
            key: "amount",
            title: "Amount",
            isNumber: true,
            cell: ({ amount }) => <Num value={amount} decimals={6} unit="USDT" />,
          },
          {
            key: "command",
            title: "The engine's command",
            isNumber: true,
            cell: ({ command_number }) => command_number ?? "on its way",
          },
        ]}
      />
      {wish !== undefined && <ControlDialog account={bonus} control={wish} onClose={() => setWish(undefined)} />}
    </Panel>
  );
}

/** All that a wallet has had, the newest first. */
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
      <Async query={query} skeleton={<Skeleton rows={12} rowHeight={40} />}>
        {({ bonuses }) => bonuses.map((bonus) => <Bonus key={bonus.id} bonus={bonus} />)}
      </Async>
    </div>
  );
}
