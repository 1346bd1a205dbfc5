import type { BonusCampaign } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { hasProblems, useDraft } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { Money } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { TimeField } from "../../kit/time-field.tsx";
import { serverNow } from "../../lib/server-time.ts";
import { msOf } from "../../lib/time.ts";
import { staffApi } from "../../session/session.ts";
import { type Review, ReviewDialog } from "../frame/review-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import {
  beginCampaign,
  type CampaignChange,
  type CampaignDraft,
  changeOfCampaign,
  draftOfCampaign,
  problemsOfCampaign,
} from "./campaign-draft.ts";
import { useCampaign } from "./queries.ts";

interface DialogProps {
  readonly campaign: BonusCampaign;
  readonly isNew: boolean;
  readonly onClose: () => void;
}

function reviewOf(
  campaign: BonusCampaign,
  draft: CampaignDraft,
  isNew: boolean,
): Review & Pick<CampaignChange, "request"> {
  const name = draft.name.trim();
  if (isNew) {
    const { lines, request } = beginCampaign(draft);
    return {
      changes: lines,
      request,
      warning: `${campaign.name} ends: its unused codes can no longer be redeemed, and every wallet may get one bonus of ${name}.`,
      actionLabel: `Begin ${name} in place of ${campaign.name}`,
      typed: "BEGIN",
    };
  }
  const { lines, request } = changeOfCampaign(campaign, draft);
  return {
    changes: lines,
    request,
    warning: "It applies to grants and redemptions from now on. Bonuses granted before keep their parameters.",
    actionLabel: `Change ${counted(lines.length, "parameter")} of ${campaign.name}`,
  };
}

/** Changes the running campaign, or begins another one. */
function CampaignDialog({ campaign, isNew, onClose }: DialogProps) {
  const write = useWrite();
  const { draft, problems, field } = useDraft(
    () => ({ ...draftOfCampaign(campaign), ...(isNew ? { name: "" } : {}) }),
    (typed) => problemsOfCampaign(typed, campaign, isNew),
  );
  const review = hasProblems(problems) ? undefined : reviewOf(campaign, draft, isNew);
  return (
    <ReviewDialog
      title={isNew ? "Begin a new campaign" : `Change ${campaign.name}`}
      description="Times are in your time zone, with UTC below them. The pool's cap is a setting of the server."
      isWide
      review={review}
      onConfirm={() =>
        write(
          () => staffApi.bonusAdmin.changeCampaign(review?.request ?? {}),
          (reply) => (isNew ? `${reply.name} is the running campaign now.` : `${reply.name} is changed.`),
        )
      }
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Name" {...field("name")} />
        <TextField label="A bonus expires after" kind="whole" end="days" {...field("days")} />
        <TextField label="Usual amount for a wallet" kind="decimal" end="USDT" {...field("amount")} />
        <TextField label="Maximum for a wallet" hint="Empty: no limit." kind="decimal" end="USDT" {...field("max")} />
        <TimeField label="Codes can be redeemed from" whenEmpty="Empty: from the start." {...field("opens")} />
        <TimeField label="Codes can be redeemed until" {...field("closes")} />
      </div>
    </ReviewDialog>
  );
}

function windowWords(campaign: BonusCampaign): { readonly label: string; readonly isOpen: boolean } {
  const now_ms = serverNow();
  if (campaign.redemption_opens_at !== null && msOf(campaign.redemption_opens_at) > now_ms) {
    return { label: "codes not open yet", isOpen: false };
  }
  return msOf(campaign.redemption_closes_at) < now_ms
    ? { label: "codes closed", isOpen: false }
    : { label: "codes open", isOpen: true };
}

export function Campaign() {
  const query = useCampaign();
  const [action, setAction] = useState<"change" | "begin">();
  const campaign = query.data;
  const redemption = campaign && windowWords(campaign);
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-2">
          Campaign{campaign === undefined ? "" : `: ${campaign.name}`}
          {redemption !== undefined && (
            <Badge tone={redemption.isOpen ? "accent" : "neutral"}>{redemption.label}</Badge>
          )}
        </span>
      }
      actions={
        campaign !== undefined && (
          <>
            <Button look="quiet" onClick={() => setAction("begin")}>
              Begin another
            </Button>
            <Button onClick={() => setAction("change")}>Change</Button>
          </>
        )
      }
    >
      <Async query={query} rows={7} rowHeight={24}>
        {(running) => (
          <Facts className="lg:grid lg:grid-cols-2 lg:gap-x-10">
            <Fact name="Number" value={running.id} />
            <Fact name="Usual amount for a wallet" value={<Money value={running.amount} />} />
            <Fact
              name="Maximum for a wallet"
              value={running.max_amount === null ? "no limit" : <Money value={running.max_amount} />}
            />
            <Fact name="A bonus expires after" value={counted(running.validity_days, "day")} />
            <Fact
              name="Codes can be redeemed from"
              value={running.redemption_opens_at === null ? "the start" : <Time at={running.redemption_opens_at} />}
            />
            <Fact name="Codes can be redeemed until" value={<Time at={running.redemption_closes_at} />} />
            <Fact name="Begun" value={<Time at={running.created_at} />} />
          </Facts>
        )}
      </Async>
      {campaign !== undefined && action !== undefined && (
        <CampaignDialog campaign={campaign} isNew={action === "begin"} onClose={() => setAction(undefined)} />
      )}
    </Panel>
  );
}
