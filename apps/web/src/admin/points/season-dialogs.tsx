import type { AdminPointsSeason } from "@bourse/api/client";
import { useState } from "react";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { TimeField } from "../../kit/time-field.tsx";
import { groupDigits } from "../../lib/format.ts";
import { formatUtc } from "../../lib/time.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import type { EpochCalendar } from "./epochs.ts";
import { useEpochs } from "./queries.ts";
import {
  CHANGEABLE,
  changeOfSeason,
  draftOfSeason,
  EMPTY_SEASON,
  linesOfSeason,
  problemsOfChange,
  problemsOfSeason,
  requestOfSeason,
  type SeasonDraft,
  type SeasonField,
  type SeasonProblems,
} from "./season-draft.ts";

interface FieldsProps {
  readonly draft: SeasonDraft;
  readonly problems: SeasonProblems;
  readonly open: readonly SeasonField[];
  readonly epochs: EpochCalendar | undefined;
  readonly onChange: (draft: SeasonDraft) => void;
}

interface TextProps extends FieldsProps {
  readonly field: Exclude<SeasonField, "distribution">;
  readonly label: string;
  readonly hint?: string;
  readonly unit?: string;
}

function SeasonText({ field, label, hint, unit, draft, problems, open, onChange }: TextProps) {
  return (
    <Field
      label={label}
      {...(hint === undefined ? {} : { hint })}
      error={draft[field] === "" ? undefined : problems[field]}
    >
      {(ids) => (
        <TextInput
          {...ids}
          {...(unit === undefined ? {} : { end: unit })}
          inputMode={field === "label" ? "text" : "numeric"}
          className="num"
          disabled={!open.includes(field)}
          value={draft[field]}
          onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
        />
      )}
    </Field>
  );
}

const dayText = (at_ms: number) => formatUtc(at_ms).slice(0, 16).concat(" UTC");

function SeasonFields(props: FieldsProps) {
  const { draft, problems, open, epochs, onChange } = props;
  const whole = (text: string) => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : undefined);
  const [first, last] = [whole(draft.start), whole(draft.end)];
  const running = epochs === undefined ? "" : `Epoch ${epochs.current} is running.`;
  const begins = first === undefined || epochs === undefined ? running : `Begins ${dayText(epochs.start_ms(first))}`;
  const ends = last === undefined || epochs === undefined ? running : `Over ${dayText(epochs.end_ms(last))}`;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SeasonText {...props} field="label" label="Name" hint="As traders see it." />
      <SeasonText {...props} field="number" label="Number" hint="Empty: the one after the highest." />
      <SeasonText {...props} field="start" label="First epoch" hint={begins} />
      <SeasonText {...props} field="end" label="Last epoch, included" hint={ends} />
      <SeasonText {...props} field="userPool" label="Pool of everybody" unit="tokens" />
      <SeasonText {...props} field="makerPool" label="Pool of market makers" unit="tokens" />
      <TimeField
        label="Handed out from"
        value={draft.distribution}
        error={problems.distribution}
        isDisabled={!open.includes("distribution")}
        whenEmpty="Empty: 72 hours after the last epoch."
        onChange={(distribution) => onChange({ ...draft, distribution })}
      />
    </div>
  );
}

interface DialogProps {
  readonly seasons: readonly AdminPointsSeason[];
  readonly onClose: () => void;
}

export function NewSeasonDialog({ seasons, onClose }: DialogProps) {
  const write = useWrite();
  const epochs = useEpochs();
  const [draft, setDraft] = useState(EMPTY_SEASON);
  const [isAsking, setAsking] = useState(false);
  const problems = problemsOfSeason(draft, epochs, seasons);
  if (isAsking) {
    const request = requestOfSeason(draft);
    const tokens = BigInt(request.user_pool_tokens) + BigInt(request.mm_pool_tokens);
    const isUnderWay = epochs !== undefined && request.start_epoch <= epochs.current;
    return (
      <ConfirmAction
        title="Create a season"
        changes={linesOfSeason(draft)}
        {...(isUnderWay
          ? { warning: "Its first epoch has begun: it starts at once, with what was scored in its epochs so far." }
          : {})}
        actionLabel={`Create ${request.label} for ${groupDigits(String(tokens))} tokens`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && setAsking(false)}
        onConfirm={async () => {
          await write(
            () => staffApi.pointsAdmin.createSeason(request),
            ({ label, season_no }) => `${label} is season ${season_no}.`,
          );
          onClose();
        }}
      />
    );
  }
  return (
    <FormDialog
      title="New season"
      description="A season is a range of whole epochs, each of which is a week from Monday 00:00 UTC."
      submitLabel="Review"
      isReady={Object.keys(problems).length === 0}
      isWide
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <SeasonFields draft={draft} problems={problems} open={CHANGEABLE.pending} epochs={epochs} onChange={setDraft} />
    </FormDialog>
  );
}

const WHY_FIXED: Readonly<Record<AdminPointsSeason["status"], string>> = {
  pending: "It has not begun: everything can be changed.",
  active: "It runs: its number and its first epoch are fixed.",
  snapshot: "Its points and shares are fixed: only its name and its handing out can be changed.",
  distributing: "Its tokens are handed out: only its name can be changed.",
  completed: "It is completed: only its name can be changed.",
};

interface SeasonDialogProps extends DialogProps {
  readonly season: AdminPointsSeason;
}

export function ChangeSeasonDialog({ season, seasons, onClose }: SeasonDialogProps) {
  const write = useWrite();
  const epochs = useEpochs();
  const [draft, setDraft] = useState(() => draftOfSeason(season));
  const [isAsking, setAsking] = useState(false);
  const others = seasons.filter(({ season_id }) => season_id !== season.season_id);
  const problems = problemsOfChange(season, draft, epochs, others);
  const isGood = Object.keys(problems).length === 0;
  const change = isGood ? changeOfSeason(season, draft) : undefined;
  if (isAsking && change !== undefined) {
    return (
      <ConfirmAction
        title={`Change ${season.label}`}
        changes={change.lines}
        actionLabel={`Change ${counted(change.lines.length, "term")} of ${season.label}`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && setAsking(false)}
        onConfirm={async () => {
          await write(
            () => staffApi.pointsAdmin.changeSeason(season.season_id, change.request),
            ({ label }) => `${label} is changed.`,
          );
          onClose();
        }}
      />
    );
  }
  return (
    <FormDialog
      title={`Change ${season.label}`}
      description={WHY_FIXED[season.status]}
      submitLabel="Review"
      isReady={change !== undefined && change.lines.length > 0}
      isWide
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <SeasonFields
        draft={draft}
        problems={problems}
        open={CHANGEABLE[season.status]}
        epochs={epochs}
        onChange={setDraft}
      />
    </FormDialog>
  );
}

export function CompleteSeasonDialog({ season, onClose }: SeasonDialogProps) {
  const write = useWrite();
  const tokens = groupDigits(String(season.user_pool_tokens + season.mm_pool_tokens));
  return (
    <ConfirmAction
      title={`Complete ${season.label}`}
      changes={[
        { what: "Status", before: "handing out", after: "completed" },
        { what: "Wallets with a share", after: groupDigits(String(season.leaf_count ?? 0)) },
        { what: "Tokens of both pools", after: tokens },
      ]}
      warning="Say so once everybody can claim. It cannot be taken back."
      actionLabel={`Complete ${season.label} with ${tokens} tokens`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() =>
        write(
          () => staffApi.pointsAdmin.completeSeason(season.season_id),
          ({ label }) => `${label} is completed.`,
        )
      }
    />
  );
}
