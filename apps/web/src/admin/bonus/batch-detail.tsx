import type { BonusBatch } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Money, Num } from "../../kit/number.tsx";
import { Fact, Facts, Notice, Panel, Stat } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { fractionForDrawing } from "../../lib/decimal.ts";
import { counted } from "../frame/words.ts";
import { AccountTable } from "./accounts.tsx";
import { EndCodesDialog, MakeCodesDialog } from "./codes-dialogs.tsx";
import { useBatch, useCampaign, useRecipients } from "./queries.ts";

type Wish = "make" | "expire" | "void";

function Codes({ batch }: { readonly batch: BonusBatch }) {
  const campaign = useCampaign().data;
  const [wish, setWish] = useState<Wish>();
  const { unused, redeemed, expired, void: voided } = batch.codes;
  const all = unused + redeemed + expired + voided;
  const isOver = campaign !== undefined && campaign.id !== batch.campaign_id;
  const close = () => setWish(undefined);
  return (
    <Panel
      title="Codes"
      actions={
        <>
          <Button look="quiet" disabled={unused === 0} onClick={() => setWish("expire")}>
            Expire unused
          </Button>
          <Button look="quiet" disabled={unused === 0} onClick={() => setWish("void")}>
            Void unused
          </Button>
          <Button look="primary" disabled={campaign === undefined || isOver} onClick={() => setWish("make")}>
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
          <Stat label="Unused" className="bg-raised">
            <Num value={unused} />
          </Stat>
          <Stat label="Redeemed" className="bg-raised">
            <Num value={redeemed} />
          </Stat>
          <Stat label="Expired" className="bg-raised">
            <Num value={expired} />
          </Stat>
          <Stat label="Void" className="bg-raised">
            <Num value={voided} />
          </Stat>
        </div>
      </div>
      {wish === "make" && campaign !== undefined && (
        <MakeCodesDialog batch={batch} campaign={campaign} onClose={close} />
      )}
      {(wish === "expire" || wish === "void") && <EndCodesDialog batch={batch} ending={wish} onClose={close} />}
    </Panel>
  );
}

function Recipients({ batch }: { readonly batch: BonusBatch }) {
  const query = useRecipients(batch);
  return (
    <Panel title="Who got a bonus of it, by grant or by code" isFlush>
      <Async
        query={query}
        skeleton={<Skeleton rows={4} rowHeight={40} />}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<EmptyState title="Nobody yet" />}
      >
        {({ rows, isWhole }) => (
          <>
            {!isWhole && (
              <p className="px-4 pb-2 text-sm text-muted">
                Only the newest bonuses of the platform were looked through.
              </p>
            )}
            <AccountTable label="Recipients" accounts={rows} />
          </>
        )}
      </Async>
    </Panel>
  );
}

/** One batch: its terms, its codes, and who got something of it. */
export function BatchDetail({ id }: { readonly id: string }) {
  const query = useBatch(id);
  return (
    <Async query={query} skeleton={<Skeleton rows={12} rowHeight={40} />}>
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
              <Fact name="Each wallet">
                <Money value={batch.per_address_amount} />
              </Fact>
              <Fact name="Granted">{counted(batch.created, "wallet")}</Fact>
              <Fact name="Failed">{counted(batch.failed, "wallet")}</Fact>
              <Fact name="Tier">{batch.grant_tier}</Fact>
              <Fact name="Leverage at most">{batch.max_leverage} ×</Fact>
              <Fact name="Campaign">{batch.campaign_id}</Fact>
              <Fact name="Notes">
                <span className="whitespace-normal">{batch.notes ?? "none"}</span>
              </Fact>
              <Fact name="Answers for it">
                <Hash value={batch.operator_addr} of="operator" />
              </Fact>
              <Fact name="Made">
                <Time at={batch.created_at} precision="second" />
              </Fact>
              <Fact name="Id">
                <Hash value={batch.grant_batch_id} of="batch id" />
              </Fact>
            </Facts>
          </Panel>
          <Codes batch={batch} />
          <Recipients batch={batch} />
        </div>
      )}
    </Async>
  );
}
