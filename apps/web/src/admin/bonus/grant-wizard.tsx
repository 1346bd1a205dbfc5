import type { GrantBatchReply, GrantForecast } from "@bourse/api/client";
import { useId, useMemo, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { type DraftState, draftState } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Skeleton } from "../../kit/states.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { createStore, useStore } from "../../lib/store.ts";
import { staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWriteOnce } from "../frame/write.ts";
import { type AddressList, parseAddresses } from "./addresses.ts";
import {
  EMPTY_GRANT,
  type GrantDraft,
  type GrantInput,
  grantLabel,
  grantLines,
  inputOfGrant,
  problemsOfGrant,
} from "./grant-draft.ts";
import { DryRun, GrantResult } from "./grant-outcome.tsx";
import { OperatorField, useOperator } from "./operator.tsx";
import { useCampaign } from "./queries.ts";
import { RecipientsField } from "./recipients-field.tsx";

const TIERS = ["COMMUNITY", "KOL", "VIP"];

type Step =
  | { readonly kind: "form" }
  | { readonly kind: "judged"; readonly input: GrantInput; readonly forecast: GrantForecast }
  | { readonly kind: "done"; readonly input: GrantInput; readonly reply: GrantBatchReply };

interface FormProps {
  readonly form: DraftState<GrantDraft>;
  readonly list: AddressList;
  readonly input: GrantInput | undefined;
  readonly onJudged: (input: GrantInput, forecast: GrantForecast) => void;
}

function BatchFields({ form: { field } }: Pick<FormProps, "form">) {
  const tiersId = useId();
  return (
    <div className="flex flex-col gap-3">
      <TextField label="Name of the batch" {...field("name")} />
      <div className="grid grid-cols-2 gap-3">
        <div>
          <TextField label="Tier" list={tiersId} {...field("tier")} />
          <datalist id={tiersId}>
            {TIERS.map((tier) => (
              <option key={tier} value={tier} />
            ))}
          </datalist>
        </div>
        <TextField label="Maximum leverage" kind="whole" end="×" {...field("leverage")} />
      </div>
      <TextField label="Amount for each wallet" kind="decimal" end="USDT" {...field("amount")} />
      <TextField label="Notes" hint="Optional. For people." {...field("notes")} />
      <OperatorField />
    </div>
  );
}

function GrantForm({ form, list, input, onJudged }: FormProps) {
  const { isBusy, refusal, run } = useTask();
  const judge = () => input && run(async () => onJudged(input, await staffApi.bonusAdmin.forecastGrant(input)));
  return (
    <Panel title="Grant a batch">
      <Form className="flex flex-col gap-4" onSubmit={judge}>
        <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
          <BatchFields form={form} />
          <RecipientsField
            text={form.draft.recipients}
            list={list}
            problem={form.problems.recipients}
            onChange={(recipients) => form.change({ recipients })}
          />
        </div>
        <RefusalLine error={refusal} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          <span className="text-sm text-muted">First a dry run: it states what would happen and changes nothing.</span>
          <Button look="primary" type="submit" isBusy={isBusy} disabled={input === undefined}>
            Dry run for {counted(list.wallets.length, "wallet")}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

/** What was typed outlives the page, so that a pasted list is not lost. */
const keptDraft = createStore<GrantDraft | undefined>(undefined);

/** From a list of wallets by a dry run to bonuses. */
export function GrantWizard() {
  const writeOnce = useWriteOnce();
  const operator = useOperator();
  const campaign = useCampaign().data;
  const typed = useStore(keptDraft);
  const list = useMemo(() => parseAddresses(typed?.recipients ?? ""), [typed?.recipients]);
  const [step, setStep] = useState<Step>({ kind: "form" });
  const [isAsking, setAsking] = useState(false);
  if (campaign === undefined) return <Skeleton rows={10} rowHeight={40} />;
  const max = campaign.max_amount;
  const draft = typed ?? { ...EMPTY_GRANT, amount: campaign.amount };
  const toForm = () => setStep({ kind: "form" });
  const grant = async (input: GrantInput) => {
    const reply = await writeOnce(
      "grant",
      input,
      (body) => staffApi.bonusAdmin.grant(body),
      ({ created }) => `${counted(created, "wallet")} got a bonus.`,
    );
    setStep({ kind: "done", input, reply });
  };
  const again = () => {
    keptDraft.set(undefined);
    toForm();
  };
  if (step.kind === "done") return <GrantResult {...step} lineOf={list.lineOf} onAnother={again} />;
  if (step.kind === "form") {
    return (
      <GrantForm
        form={draftState(draft, EMPTY_GRANT, problemsOfGrant(draft, list, max), keptDraft.set)}
        list={list}
        input={inputOfGrant(draft, operator, max)}
        onJudged={(input, forecast) => setStep({ kind: "judged", input, forecast })}
      />
    );
  }
  const { input, forecast } = step;
  return (
    <>
      <DryRun input={input} forecast={forecast} lineOf={list.lineOf} onBack={toForm} onGrant={() => setAsking(true)} />
      <ConfirmAction
        title="Grant this batch"
        changes={grantLines(input, forecast)}
        warning="Bonuses run from the moment of the grant. They can be frozen and recalled, but not undone."
        actionLabel={grantLabel(input, forecast)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => grant(input)}
      />
    </>
  );
}
