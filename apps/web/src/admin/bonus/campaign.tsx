import type { BonusCampaign } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, Field, TextInput } from "../../kit/field.tsx";
import { Money } from "../../kit/number.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { TimeField } from "../../kit/time-field.tsx";
import { serverNow } from "../../lib/server-time.ts";
import { msOf } from "../../lib/time.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import {
  beginCampaign,
  type CampaignDraft,
  type CampaignProblems,
  changeOfCampaign,
  draftOfCampaign,
  problemsOfCampaign,
} from "./campaign-draft.ts";
import { useCampaign } from "./queries.ts";

interface FieldsProps {
  readonly draft: CampaignDraft;
  readonly problems: CampaignProblems;
  readonly onChange: (draft: CampaignDraft) => void;
}

function CampaignFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Name" error={draft.name === "" ? undefined : problems.name}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.name}
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field label="A bonus expires after" error={problems.days}>
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="numeric"
            className="num"
            end="days"
            value={draft.days}
            onChange={(event) => onChange({ ...draft, days: event.target.value })}
          />
        )}
      </Field>
      <Field label="Usual amount for a wallet" error={problems.amount}>
        {(ids) => (
          <DecimalInput
            {...ids}
            end="USDT"
            value={draft.amount}
            onChange={(event) => onChange({ ...draft, amount: event.target.value })}
          />
        )}
      </Field>
      <Field label="Most for a wallet" hint="Empty: no bound." error={problems.most}>
        {(ids) => (
          <DecimalInput
            {...ids}
            end="USDT"
            value={draft.most}
            onChange={(event) => onChange({ ...draft, most: event.target.value })}
          />
        )}
      </Field>
      <TimeField
        label="Codes are redeemed from"
        value={draft.opens}
        error={problems.opens}
        whenEmpty="Empty: from the start."
        onChange={(opens) => onChange({ ...draft, opens })}
      />
      <TimeField
        label="Codes are redeemed until"
        value={draft.closes}
        error={problems.closes}
        onChange={(closes) => onChange({ ...draft, closes })}
      />
    </div>
  );
}

interface DialogProps {
  readonly campaign: BonusCampaign;
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** Changes the running campaign, or begins another one. */
function CampaignDialog({ campaign, isNew, onClose }: DialogProps) {
  const write = useWrite();
  const [draft, setDraft] = useState(() => ({ ...draftOfCampaign(campaign), ...(isNew ? { name: "" } : {}) }));
  const [isAsking, setAsking] = useState(false);
  const problems = problemsOfCampaign(draft, campaign, isNew);
  const isGood = Object.keys(problems).length === 0;
  const change = !isGood ? undefined : isNew ? beginCampaign(draft) : changeOfCampaign(campaign, draft);
  const name = draft.name.trim();
  if (isAsking && change !== undefined) {
    return (
      <ConfirmAction
        title={isNew ? "Begin a new campaign" : `Change ${campaign.name}`}
        changes={change.lines}
        warning={
          isNew
            ? `${campaign.name} is over with it: its unused codes cannot be redeemed any more, and every wallet may get one bonus of ${name}.`
            : "Grants and redemptions from now on follow it. Bonuses that were granted keep their terms."
        }
        actionLabel={
          isNew
            ? `Begin ${name} in place of ${campaign.name}`
            : `Change ${counted(change.lines.length, "term")} of ${campaign.name}`
        }
        {...(isNew ? { typed: "BEGIN" } : {})}
        isOpen
        onOpenChange={(isOpen) => !isOpen && setAsking(false)}
        onConfirm={async () => {
          await write(
            () => staffApi.bonusAdmin.changeCampaign(change.request),
            (reply) => (isNew ? `${reply.name} is the running campaign now.` : `${reply.name} is changed.`),
          );
          onClose();
        }}
      />
    );
  }
  return (
    <FormDialog
      title={isNew ? "Begin a new campaign" : `Change ${campaign.name}`}
      description="Times are in your own zone, with UTC below them. The pool's cap is a setting of the server."
      submitLabel="Review"
      isReady={change !== undefined && change.lines.length > 0}
      isWide
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <CampaignFields draft={draft} problems={problems} onChange={setDraft} />
    </FormDialog>
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
  const [wish, setWish] = useState<"change" | "begin">();
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
            <Button look="quiet" onClick={() => setWish("begin")}>
              Begin another
            </Button>
            <Button onClick={() => setWish("change")}>Change</Button>
          </>
        )
      }
    >
      <Async query={query} skeleton={<Skeleton rows={7} rowHeight={24} />}>
        {(running) => (
          <Facts className="lg:grid lg:grid-cols-2 lg:gap-x-10">
            <Fact name="Number">{running.id}</Fact>
            <Fact name="Usual amount for a wallet">
              <Money value={running.amount} />
            </Fact>
            <Fact name="Most for a wallet">
              {running.max_amount === null ? "no bound" : <Money value={running.max_amount} />}
            </Fact>
            <Fact name="A bonus expires after">{counted(running.validity_days, "day")}</Fact>
            <Fact name="Codes are redeemed from">
              {running.redemption_opens_at === null ? "the start" : <Time at={running.redemption_opens_at} />}
            </Fact>
            <Fact name="Codes are redeemed until">
              <Time at={running.redemption_closes_at} />
            </Fact>
            <Fact name="Begun">
              <Time at={running.created_at} />
            </Fact>
          </Facts>
        )}
      </Async>
      {campaign !== undefined && wish !== undefined && (
        <CampaignDialog campaign={campaign} isNew={wish === "begin"} onClose={() => setWish(undefined)} />
      )}
    </Panel>
  );
}
