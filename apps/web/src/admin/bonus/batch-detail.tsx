import type { BonusBatch } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Money, Num } from "../../kit/number.tsx";
import { Fact, Facts, Notice, Panel, Stat } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { fractionForDrawing } from "../../lib/decimal.ts";
import { counted } from "../frame/words.ts";
import { BONUS_COLUMNS } from "./accounts.tsx";
import { EndCodesDialog, MakeCodesDialog } from "./codes-dialogs.tsx";
import { useBatch, useCampaign, useRecipients } from "./queries.ts";

type Action = "make" | "expire" | "void";

function Codes({ batch }: { readonly batch: BonusBatch }) {
  const campaign = useCampaign().data;
  const [action, setAction] = useState<Action>();
  const { unused, redeemed, expired, void: voided } = batch.codes;
  const all = unused + redeemed + expired + voided;
  const isOver = campaign !== undefined && campaign.id !== batch.campaign_id;
  const close = () => setAction(undefined);
  return (
    <Panel
      title="Codes"
      actions={
        <>
          <Button look="quiet" disabled={unused === 0} onClick={() => setAction("expire")}>
            Expire unused
          </Button>
          <Button look="quiet" disabled={unused === 0} onClick={() => setAction("void")}>
            Void unused
          </Button>
          <Button look="primary" disabled={campaign === undefined || isOver} onClick={() => setAction("make")}>
            Make codes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {isOver && (
          <Notice tone="neutral">
            The batch belongs to campaign {batch.campaign_id}, which is over: its codes cannot be redeemed, and no more
            can be made.
          </Notice>
        )}
        <Progress
          label="Redeemed"
          fraction={fractionForDrawing(String(redeemed), String(all))}
          figure={all === 0 ? "no codes yet" : `${redeemed} of ${counted(all, "code")}`}
        />
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          <Stat label="Unused" className="bg-raised" value={<Num value={unused} />} />
          <Stat label="Redeemed" className="bg-raised" value={<Num value={redeemed} />} />
          <Stat label="Expired" className="bg-raised" value={<Num value={expired} />} />
          <Stat label="Void" className="bg-raised" value={<Num value={voided} />} />
        </div>
      </div>
      {action === "make" && campaign !== undefined && (
        <MakeCodesDialog batch={batch} campaign={campaign} onClose={close} />
      )}
      {(action === "expire" || action === "void") && <EndCodesDialog batch={batch} ending={action} onClose={close} />}
    </Panel>
  );
}

function Recipients({ batch }: { readonly batch: BonusBatch }) {
  return (
    <Panel title="Wallets that got a bonus of it, by grant or by code" isFlush>
      <QueryTable
        label="Recipients"
        query={useRecipients(batch)}
        rowsOf={({ rows }) => rows}
        keyOf={({ id }) => id}
        columns={BONUS_COLUMNS}
        empty={<EmptyState title="No wallet yet" />}
        foot={({ isWhole }) =>
          !isWhole && (
            <p className="px-4 py-2 text-sm text-muted">Only the newest bonuses of the platform were searched.</p>
          )
        }
      />
    </Panel>
  );
}

/** One batch: its parameters, its codes, and the wallets that got a bonus of it. */
export function BatchDetail({ id }: { readonly id: string }) {
  const query = useBatch(id);
  return (
    <Async query={query} rows={12} rowHeight={40}>
      {(batch) => (
        <div className="flex flex-col gap-4">
          <Panel
            title={batch.batch_name}
            actions={
              <Link to="/admin/bonus" search={{ tab: "batches" }} className="text-sm text-accent hover:underline">
                All batches
              </Link>
            }
          >
            <Facts className="lg:grid lg:grid-cols-2 lg:gap-x-10">
              <Fact name="Each wallet" value={<Money value={batch.per_address_amount} />} />
              <Fact name="Granted" value={counted(batch.created, "wallet")} />
              <Fact name="Failed" value={counted(batch.failed, "wallet")} />
              <Fact name="Tier" value={batch.grant_tier} />
              <Fact name="Maximum leverage" value={<>{batch.max_leverage} ×</>} />
              <Fact name="Campaign" value={batch.campaign_id} />
              <Fact name="Notes" value={<span className="whitespace-normal">{batch.notes ?? "none"}</span>} />
              <Fact name="Operator" value={<Hash value={batch.operator_addr} of="operator" />} />
              <Fact name="Made" value={<Time at={batch.created_at} precision="second" />} />
              <Fact name="Id" value={<Hash value={batch.grant_batch_id} of="batch id" />} />
            </Facts>
          </Panel>
          <Codes batch={batch} />
          <Recipients batch={batch} />
        </div>
      )}
    </Async>
  );
}
