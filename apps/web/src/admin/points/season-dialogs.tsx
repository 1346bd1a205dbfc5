import type { AdminPointsSeason } from "@bourse/api/client";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { type DraftState, hasProblems, useDraft } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { TimeField } from "../../kit/time-field.tsx";
import { groupDigits } from "../../lib/format.ts";
import { formatUtc } from "../../lib/time.ts";
import { staffApi } from "../../session/session.ts";
import { ReviewDialog } from "../frame/review-dialog.tsx";
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
} from "./season-draft.ts";

interface FieldsProps {
  readonly form: DraftState<SeasonDraft>;
  readonly open: readonly SeasonField[];
  readonly epochs: EpochCalendar | undefined;
}

const dayText = (at_ms: number) => formatUtc(at_ms).slice(0, 16).concat(" UTC");

function SeasonFields({ form: { draft, field }, open, epochs }: FieldsProps) {
  const whole = (text: string) => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : undefined);
  const [first, last] = [whole(draft.start), whole(draft.end)];
  const running = epochs === undefined ? "" : `Epoch ${epochs.current} is running.`;
  const begins = first === undefined || epochs === undefined ? running : `Begins ${dayText(epochs.start_ms(first))}`;
  const ends = last === undefined || epochs === undefined ? running : `Over ${dayText(epochs.end_ms(last))}`;
  const text = (name: SeasonField) => ({ ...field(name), disabled: !open.includes(name) });
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <TextField label="Name" hint="As traders see it." {...text("label")} />
      <TextField label="Number" hint="Empty: the next number." kind="whole" {...text("number")} />
      <TextField label="First epoch" hint={begins} kind="whole" {...text("start")} />
      <TextField label="Last epoch, included" hint={ends} kind="whole" {...text("end")} />
      <TextField label="Traders' pool" kind="whole" end="tokens" {...text("userPool")} />
      <TextField label="Market makers' pool" kind="whole" end="tokens" {...text("makerPool")} />
      <TimeField
        label="Distribution from"
        isDisabled={!open.includes("distribution")}
        whenEmpty="Empty: 72 hours after the last epoch."
        {...field("distribution")}
      />
    </div>
  );
}

interface DialogProps {
  readonly seasons: readonly AdminPointsSeason[];
  readonly onClose: () => void;
}

function reviewOfNew(draft: SeasonDraft, epochs: EpochCalendar | undefined) {
  const request = requestOfSeason(draft);
  const tokens = BigInt(request.user_pool_tokens) + BigInt(request.mm_pool_tokens);
  const isUnderWay = epochs !== undefined && request.start_epoch <= epochs.current;
  return {
    title: "Create a season",
    changes: linesOfSeason(draft),
    warning: isUnderWay && "Its first epoch has begun: it starts at once, with the points scored in its epochs so far.",
    actionLabel: `Create ${request.label} for ${groupDigits(String(tokens))} tokens`,
  };
}

export function NewSeasonDialog({ seasons, onClose }: DialogProps) {
  const write = useWrite();
  const epochs = useEpochs();
  const form = useDraft(EMPTY_SEASON, (draft) => problemsOfSeason(draft, epochs, seasons));
  return (
    <ReviewDialog
      title="New season"
      description="A season is a range of whole epochs. An epoch is a week from Monday 00:00 UTC."
      isWide
      review={hasProblems(form.problems) ? undefined : reviewOfNew(form.draft, epochs)}
      onConfirm={() =>
        write(
          () => staffApi.pointsAdmin.createSeason(requestOfSeason(form.draft)),
          ({ label, season_no }) => `${label} is season ${season_no}.`,
        )
      }
      onClose={onClose}
    >
      <SeasonFields form={form} open={CHANGEABLE.pending} epochs={epochs} />
    </ReviewDialog>
  );
}

const WHY_FIXED: Readonly<Record<AdminPointsSeason["status"], string>> = {
  pending: "It has not begun: everything can be changed.",
  active: "It is running: its number and its first epoch are fixed.",
  snapshot: "Its points and shares are fixed: only its name and its distribution can be changed.",
  distributing: "Its tokens are being distributed: only its name can be changed.",
  completed: "It is completed: only its name can be changed.",
};

interface SeasonDialogProps extends DialogProps {
  readonly season: AdminPointsSeason;
}

export function ChangeSeasonDialog({ season, seasons, onClose }: SeasonDialogProps) {
  const write = useWrite();
  const epochs = useEpochs();
  const others = seasons.filter(({ season_id }) => season_id !== season.season_id);
  const form = useDraft(
    () => draftOfSeason(season),
    (draft) => problemsOfChange(season, draft, epochs, others),
  );
  const change = hasProblems(form.problems) ? undefined : changeOfSeason(season, form.draft);
  const review = change && {
    changes: change.lines,
    actionLabel: `Change ${counted(change.lines.length, "parameter")} of ${season.label}`,
  };
  return (
    <ReviewDialog
      title={`Change ${season.label}`}
      description={WHY_FIXED[season.status]}
      isWide
      review={review}
      onConfirm={() =>
        write(
          () => staffApi.pointsAdmin.changeSeason(season.season_id, change?.request ?? {}),
          ({ label }) => `${label} is changed.`,
        )
      }
      onClose={onClose}
    >
      <SeasonFields form={form} open={CHANGEABLE[season.status]} epochs={epochs} />
    </ReviewDialog>
  );
}

export function CompleteSeasonDialog({ season, onClose }: SeasonDialogProps) {
  const write = useWrite();
  const tokens = groupDigits(String(season.user_pool_tokens + season.mm_pool_tokens));
  return (
    <ConfirmAction
      title={`Complete ${season.label}`}
      changes={[
        { what: "Status", before: "distributing", after: "completed" },
        { what: "Wallets with a share", after: groupDigits(String(season.leaf_count ?? 0)) },
        { what: "Tokens of both pools", after: tokens },
      ]}
      warning="Complete it once all wallets can claim. This cannot be undone."
      actionLabel={`Complete ${season.label} with ${tokens} tokens`}
      onClose={onClose}
      onConfirm={() =>
        write(
          () => staffApi.pointsAdmin.completeSeason(season.season_id),
          ({ label }) => `${label} is completed.`,
        )
      }
    />
  );
}
