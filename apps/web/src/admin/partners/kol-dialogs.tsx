import type { AdminKol } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { hasProblems, problemsIn, useDraft } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { staffApi } from "../../session/session.ts";
import { percentText } from "../frame/percent.ts";
import { ConfirmWithReason } from "../frame/reason-field.tsx";
import { ReviewDialog } from "../frame/review-dialog.tsx";
import { useWrite } from "../frame/write.ts";
import { changeOfKol, draftOfKol, problemOfNickname, problemOfRate } from "./kol-change.ts";
import { LevelSelect } from "./level-select.tsx";
import { nameOfKol, useTiers } from "./queries.ts";

interface KolDialogProps {
  readonly kol: AdminKol;
  readonly onClose: () => void;
}

const FREEZING: readonly Change[] = [
  { what: "Status", before: "active", after: "frozen" },
  { what: "Its codes", before: "open", after: "accept no new wallets" },
  { what: "Its payouts", before: "in batches", after: "held back; records continue" },
  { what: "Its customers' rebates", after: "continue" },
];
const UNFREEZING: readonly Change[] = [
  { what: "Status", before: "frozen", after: "active" },
  { what: "Its codes", before: "accept no new wallets", after: "open" },
  { what: "Its payouts", before: "held back", after: "in the next batch" },
];

/** BRK-15: states what freezing means before it happens. */
export function FreezeKolDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const isFreezing = kol.status === "active";
  const name = nameOfKol(kol);
  const next = isFreezing ? "frozen" : "active";
  const label = `${isFreezing ? "Freeze" : "Unfreeze"} ${name}`;
  return (
    <ConfirmWithReason
      title={label}
      changes={isFreezing ? FREEZING : UNFREEZING}
      warning={isFreezing && "A batch that is already open still pays it. Cancel that batch to prevent this."}
      actionLabel={label}
      onClose={onClose}
      onConfirm={(reason) =>
        write(
          () => staffApi.brokerAdmin.changeKol(kol.broker_id, { status: next, ...reason }),
          () => `${name} is ${next}.`,
        )
      }
    />
  );
}

function reviewOf(kol: AdminKol, { nickname, level, rebate_rate }: ReturnType<typeof changeOfKol>) {
  const rate = rebate_rate === undefined ? undefined : `${percentText(String(rebate_rate))} %`;
  const before = `${percentText(kol.rebate_rate)} %`;
  const changes: Change[] = [
    ...(nickname === undefined ? [] : [{ what: "Name", before: kol.nickname ?? "none", after: nickname ?? "none" }]),
    ...(level === undefined ? [] : [{ what: "Level", before: `L${kol.level}`, after: `L${level}` }]),
    ...(rate === undefined ? [] : [{ what: "Rate of every fill from now on", before, after: rate }]),
  ];
  const name = nameOfKol(kol);
  return { changes, actionLabel: rate === undefined ? `Change ${name}` : `Set the rate of ${name} to ${rate}` };
}

/** Name, level and rate; of a sub-KOL only the name, because its parent's code has fixed the rest. */
export function EditKolDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const { data: tiers = [] } = useTiers();
  const isSub = kol.parent_broker !== null;
  const { draft, problems, field } = useDraft(
    () => draftOfKol(kol),
    ({ nickname, rate }) => problemsIn({ nickname: problemOfNickname(nickname), rate: !isSub && problemOfRate(rate) }),
  );
  const change = changeOfKol(kol, draft);
  const name = nameOfKol(kol);
  return (
    <ReviewDialog
      title={isSub ? `Rename ${name}` : `Edit ${name}`}
      description={
        isSub
          ? "Level and rate of a sub-KOL are fixed by the code of its parent; only its name can be changed."
          : "A new level alone does not change the rate. To set a tier with its rate, use “Set tier”."
      }
      review={hasProblems(problems) ? undefined : { title: `Change ${name}`, ...reviewOf(kol, change) }}
      asksReason
      onConfirm={(reason) =>
        write(
          () => staffApi.brokerAdmin.changeKol(kol.broker_id, { ...change, ...reason }),
          () => `${name} is changed.`,
        )
      }
      onClose={onClose}
    >
      <TextField label="Name" hint="Empty for none." {...field("nickname")} />
      {!isSub && (
        <>
          <LevelSelect tiers={tiers} {...field("level")} />
          <TextField label="Rate" kind="decimal" end="%" {...field("rate")} />
        </>
      )}
    </ReviewDialog>
  );
}
