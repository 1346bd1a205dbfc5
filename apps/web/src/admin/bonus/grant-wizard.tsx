import type { GrantBatchReply, GrantForecast } from "@bourse/api/client";
import { type FormEvent, useId, useMemo, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, Field, TextInput } from "../../kit/field.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Skeleton } from "../../kit/states.tsx";
import { once, sayReplayed } from "../../lib/once.ts";
import { createStore, useStore } from "../../lib/store.ts";
import { staffApi } from "../../session/session.ts";
import { Refusal } from "../frame/form-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { parseAddresses } from "./addresses.ts";
import {
  EMPTY_GRANT,
  type GrantDraft,
  type GrantField,
  type GrantProblems,
  type GrantWish,
  grantLabel,
  grantLines,
  problemsOfGrant,
  wishOf,
} from "./grant-draft.ts";
import { DryRun, GrantResult } from "./grant-outcome.tsx";
import { OperatorField, useOperator } from "./operator.tsx";
import { useCampaign } from "./queries.ts";
import { RecipientsField } from "./recipients-field.tsx";

const TIERS = ["COMMUNITY", "KOL", "VIP"];

type Step =
  | { readonly kind: "form" }
  | { readonly kind: "judged"; readonly wish: GrantWish; readonly forecast: GrantForecast }
  | { readonly kind: "done"; readonly wish: GrantWish; readonly reply: GrantBatchReply };

interface TermsProps {
  readonly draft: GrantDraft;
  readonly problems: GrantProblems;
  readonly onChange: (draft: GrantDraft) => void;
}

/** A field that nobody has touched is not wrong yet. */
const shown = ({ draft, problems }: TermsProps, field: GrantField) =>
  draft[field] === "" ? undefined : problems[field];

function BatchTerms(props: TermsProps) {
  const { draft, onChange } = props;
  const tiersId = useId();
  return (
    <div className="flex flex-col gap-3">
      <Field label="Name of the batch" error={shown(props, "name")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.name}
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Tier" error={shown(props, "tier")}>
          {(ids) => (
            <>
              <TextInput
                {...ids}
                list={tiersId}
                value={draft.tier}
                onChange={(event) => onChange({ ...draft, tier: event.target.value })}
              />
              <datalist id={tiersId}>
                {TIERS.map((tier) => (
                  <option key={tier} value={tier} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Leverage at most" error={shown(props, "leverage")}>
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="numeric"
              className="num"
              end="×"
              value={draft.leverage}
              onChange={(event) => onChange({ ...draft, leverage: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field label="Amount for each wallet" error={shown(props, "amount")}>
        {(ids) => (
          <DecimalInput
            {...ids}
            end="USDT"
            value={draft.amount}
            onChange={(event) => onChange({ ...draft, amount: event.target.value })}
          />
        )}
      </Field>
      <Field label="Notes" hint="Optional, for people." error={shown(props, "notes")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.notes}
            onChange={(event) => onChange({ ...draft, notes: event.target.value })}
          />
        )}
      </Field>
      <OperatorField />
    </div>
  );
}

interface FormProps {
  readonly draft: GrantDraft;
  /** The most that a wallet may get. */
  readonly most: string | null;
  readonly onChange: (draft: GrantDraft) => void;
  readonly onJudged: (wish: GrantWish, forecast: GrantForecast) => void;
}

function GrantForm({ draft, most, onChange, onJudged }: FormProps) {
  const operator = useOperator();
  const list = useMemo(() => parseAddresses(draft.recipients), [draft.recipients]);
  const problems = problemsOfGrant(draft, list, most);
  const wish = wishOf(draft, operator, most);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>();
  const judge = async (event: FormEvent) => {
    event.preventDefault();
    if (wish === undefined) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      onJudged(wish, await staffApi.bonusAdmin.forecastGrant(wish));
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title="Grant a batch">
      <form className="flex flex-col gap-4" onSubmit={(event) => void judge(event)}>
        <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
          <BatchTerms draft={draft} problems={problems} onChange={onChange} />
          <RecipientsField
            text={draft.recipients}
            list={list}
            problem={problems.recipients}
            onChange={(recipients) => onChange({ ...draft, recipients })}
          />
        </div>
        {refusal !== undefined && <Refusal of={refusal} />}
        <div className="flex flex-wrap items-center justify-end gap-3">
          <span className="text-sm text-muted">First a dry run: it says what would happen and changes nothing.</span>
          <Button look="primary" type="submit" isBusy={isBusy} disabled={wish === undefined}>
            Dry run for {counted(list.wallets.length, "wallet")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** Outlives the form: a list that was pasted is not lost by a look at another page. */
const draftInHand = createStore<GrantDraft | undefined>(undefined);

/** From a list of wallets over a dry run to bonuses. */
export function GrantWizard() {
  const write = useWrite();
  const campaign = useCampaign().data;
  const typed = useStore(draftInHand);
  const [step, setStep] = useState<Step>({ kind: "form" });
  const [isAsking, setAsking] = useState(false);
  if (campaign === undefined) return <Skeleton rows={10} rowHeight={40} />;
  const draft = typed ?? { ...EMPTY_GRANT, amount: campaign.amount };
  const { lineOf } = parseAddresses(draft.recipients);
  const grant = async (wish: GrantWish) => {
    const reply = await write(
      () => once("grant", wish, (request_id) => staffApi.bonusAdmin.grant({ ...wish, request_id })),
      ({ created, replayed }) => sayReplayed(replayed, `${counted(created, "wallet")} got a bonus.`),
    );
    setStep({ kind: "done", wish, reply });
  };
  if (step.kind === "done") {
    return (
      <GrantResult
        {...step}
        lineOf={lineOf}
        onAnother={() => {
          draftInHand.set(undefined);
          setStep({ kind: "form" });
        }}
      />
    );
  }
  if (step.kind === "form") {
    return (
      <GrantForm
        draft={draft}
        most={campaign.max_amount}
        onChange={draftInHand.set}
        onJudged={(wish, forecast) => setStep({ kind: "judged", wish, forecast })}
      />
    );
  }
  const { wish, forecast } = step;
  return (
    <>
      <DryRun
        wish={wish}
        forecast={forecast}
        lineOf={lineOf}
        onBack={() => setStep({ kind: "form" })}
        onGrant={() => setAsking(true)}
      />
      <ConfirmAction
        title="Grant this batch"
        changes={grantLines(wish, forecast)}
        warning="Bonuses run from the moment of the grant. They can be frozen and recalled, but not undone."
        actionLabel={grantLabel(wish, forecast)}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => grant(wish)}
      />
    </>
  );
}
