import type { AdminKol } from "@bourse/api/client";
import { useState } from "react";
import { type Change, ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, Field, TextInput } from "../../kit/field.tsx";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { percentText } from "../frame/percent.ts";
import { ReasonField, reasonOf } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import { changeOfKol, draftOfKol, problemOfNickname, problemOfRate } from "./kol-change.ts";
import { LevelSelect } from "./level-select.tsx";
import { nameOfKol, useTiers } from "./queries.ts";

interface KolDialogProps {
  readonly kol: AdminKol;
  readonly onClose: () => void;
}

/** BRK-15: what freezing means is said before it happens. */
export function FreezeKolDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const [reason, setReason] = useState("");
  const isFreezing = kol.status === "active";
  const name = nameOfKol(kol);
  const changes: Change[] = isFreezing
    ? [
        { what: "Status", before: "active", after: "frozen" },
        { what: "Its codes", before: "open", after: "accept no new binds" },
        { what: "Its payouts", before: "in batches", after: "held back, records go on" },
        { what: "Its customers' rebates", after: "go on" },
      ]
    : [
        { what: "Status", before: "frozen", after: "active" },
        { what: "Its codes", before: "accept no binds", after: "open" },
        { what: "Its payouts", before: "held back", after: "in the next batch" },
      ];
  const next = isFreezing ? "frozen" : "active";
  return (
    <ConfirmAction
      title={isFreezing ? `Freeze ${name}` : `Unfreeze ${name}`}
      changes={changes}
      {...(isFreezing
        ? { warning: "A batch that is open already still pays it; cancel such a batch to keep that from happening." }
        : {})}
      actionLabel={isFreezing ? `Freeze ${name}` : `Unfreeze ${name}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() =>
        write(
          () => staffApi.brokerAdmin.changeKol(kol.broker_id, { status: next, ...reasonOf(reason) }),
          () => `${name} is ${next}.`,
        )
      }
    >
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmAction>
  );
}

/** Name, level and rate; of a sub-KOL only the name, because its parent's code has fixed the rest. */
export function EditKolDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const { data: tiers = [] } = useTiers();
  const [draft, setDraft] = useState(draftOfKol(kol));
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const isSub = kol.parent_broker !== null;
  const change = changeOfKol(kol, draft);
  const nameProblem = problemOfNickname(draft.nickname);
  const rateProblem = isSub ? undefined : problemOfRate(draft.rate);
  const name = nameOfKol(kol);
  const save = async () => {
    await write(
      () => staffApi.brokerAdmin.changeKol(kol.broker_id, { ...change, ...reasonOf(reason) }),
      () => `${name} is changed.`,
    );
  };
  if (isAsking) {
    const { nickname, level, rebate_rate } = change;
    const changes: Change[] = [
      ...(nickname === undefined ? [] : [{ what: "Name", before: kol.nickname ?? "none", after: nickname ?? "none" }]),
      ...(level === undefined ? [] : [{ what: "Level", before: `L${kol.level}`, after: `L${level}` }]),
      ...(rebate_rate === undefined
        ? []
        : [
            {
              what: "Rate of every fill from now on",
              before: `${percentText(kol.rebate_rate)} %`,
              after: `${percentText(String(rebate_rate))} %`,
            },
          ]),
    ];
    return (
      <ConfirmAction
        title={`Change ${name}`}
        changes={changes}
        actionLabel={
          rebate_rate === undefined
            ? `Change ${name}`
            : `Set the rate of ${name} to ${percentText(String(rebate_rate))} %`
        }
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        onConfirm={save}
      />
    );
  }
  return (
    <FormDialog
      title={isSub ? `Rename ${name}` : `Edit ${name}`}
      description={
        isSub
          ? "Level and rate of a sub-KOL are fixed by the code of its parent; only its name can be changed."
          : "The level alone leaves the rate as it is. To take a tier with its rate, use “Set tier”."
      }
      submitLabel="Review the change"
      isReady={nameProblem === undefined && rateProblem === undefined && Object.keys(change).length > 0}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <Field label="Name" hint="Empty for none." error={nameProblem}>
        {(ids) => (
          <TextInput
            {...ids}
            value={draft.nickname}
            onChange={(event) => setDraft({ ...draft, nickname: event.target.value })}
          />
        )}
      </Field>
      {!isSub && (
        <>
          <LevelSelect tiers={tiers} value={draft.level} onChange={(level) => setDraft({ ...draft, level })} />
          <Field label="Rate" error={rateProblem}>
            {(ids) => (
              <DecimalInput
                {...ids}
                end="%"
                value={draft.rate}
                onChange={(event) => setDraft({ ...draft, rate: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
