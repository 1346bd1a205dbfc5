import type { AdminKol } from "@bourse/api/client";
import { useState } from "react";
import { hasProblems, problemsIn, useDraft } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { shortHash } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { percentText } from "../frame/percent.ts";
import { ReviewDialog } from "../frame/review-dialog.tsx";
import { ADDRESS_PROBLEM, isAddressShaped } from "../frame/typed.ts";
import { useWrite } from "../frame/write.ts";
import { problemOfNickname } from "./kol-change.ts";
import { LevelSelect } from "./level-select.tsx";
import { OwnerSelect } from "./owner-select.tsx";
import { COMPANY, nameOfBd, nameOfKol, useBds, useTiers } from "./queries.ts";

interface KolDialogProps {
  readonly kol: AdminKol;
  readonly onClose: () => void;
}

/** Sets a tier together with its rate. */
export function TierDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const { data: tiers = [] } = useTiers();
  const [level, setLevel] = useState(String(kol.level ?? ""));
  const name = nameOfKol(kol);
  const tier = tiers.find((each) => String(each.level) === level);
  const now = tiers.find((each) => each.level === kol.level);
  const [before, after] = [kol.rebate_rate, tier?.rebate_rate ?? "0"].map((rate) => `${percentText(rate)} %`);
  const isChanged = tier !== undefined && (tier.level !== kol.level || tier.rebate_rate !== kol.rebate_rate);
  const review = isChanged && {
    changes: [
      { what: "Tier", before: now?.label ?? `L${kol.level}`, after: tier.label },
      { what: "Rate of every fill from now on", before, after },
    ],
    actionLabel: `Set ${name} to ${tier.label}, ${after}`,
  };
  return (
    <ReviewDialog
      title={`Set the tier of ${name}`}
      description={`Now: ${now?.label ?? `level ${kol.level}`} at ${before}. The KOL gets the tier's rate.`}
      review={review || undefined}
      asksReason
      onConfirm={(reason) =>
        write(
          () => staffApi.brokerAdmin.setKolTier(kol.broker_id, { tier_level: Number(level), ...reason }),
          (reply) => `${name} is ${reply.label} at ${percentText(reply.rebate_rate)} %.`,
        )
      }
      onClose={onClose}
    >
      <LevelSelect tiers={tiers} value={level} onChange={setLevel} />
    </ReviewDialog>
  );
}

export function MoveKolDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const { data: bds = [] } = useBds();
  const [owner, setOwner] = useState("");
  const name = nameOfKol(kol);
  const from = nameOfBd(bds, kol.bd_owner_id);
  const to = nameOfBd(bds, owner);
  const review = {
    changes: [
      { what: "Owner", before: from, after: to },
      { what: "Its sub-KOLs", after: "move with it" },
      { what: "Rates, codes, customers", after: "unchanged" },
    ],
    actionLabel: `Move ${name} to ${to}`,
  };
  return (
    <ReviewDialog
      title={`Move ${name}`}
      description={`Owner now: ${from}.`}
      review={owner === "" ? undefined : review}
      asksReason
      onConfirm={(reason) =>
        write(
          () => staffApi.brokerAdmin.reassignKol(kol.broker_id, { new_owner: owner, ...reason }),
          () => `${name} belongs to ${to} now.`,
        )
      }
      onClose={onClose}
    >
      <OwnerSelect label="New owner" bds={bds} except={kol.bd_owner_id} value={owner} onChange={setOwner} />
    </ReviewDialog>
  );
}

/** Makes a known wallet a KOL without a code. */
export function NewKolDialog({ onClose }: { readonly onClose: () => void }) {
  const write = useWrite();
  const { data: bds = [] } = useBds();
  const { data: tiers = [] } = useTiers();
  const { draft, problems, field } = useDraft({ wallet: "", nickname: "", level: "", owner: COMPANY }, (typed) =>
    problemsIn({
      wallet: !isAddressShaped(typed.wallet) && ADDRESS_PROBLEM,
      nickname: problemOfNickname(typed.nickname),
      owner: typed.owner === "" && "Choose an owner.",
    }),
  );
  const [wallet, nickname] = [draft.wallet.trim(), draft.nickname.trim()];
  const tier = tiers.find((each) => String(each.level) === draft.level);
  const review = tier &&
    !hasProblems(problems) && {
      title: "Create a KOL",
      changes: [
        { what: "Wallet", after: <span className="font-mono text-xs break-all whitespace-normal">{wallet}</span> },
        { what: "Name", after: nickname === "" ? "none" : nickname },
        { what: "Tier", after: tier.label },
        { what: "Rate of the fees it refers", after: `${percentText(tier.rebate_rate)} %` },
        { what: "Owner", after: nameOfBd(bds, draft.owner) },
      ],
      warning: "A KOL can be frozen later, but not removed.",
      actionLabel: `Make ${nickname === "" ? shortHash(wallet) : nickname} a ${tier.label} KOL`,
    };
  const request = {
    wallet_address: wallet,
    level: Number(draft.level),
    ...(draft.owner === COMPANY ? {} : { bd_id: draft.owner }),
    ...(nickname === "" ? {} : { nickname }),
  };
  return (
    <ReviewDialog
      title="New KOL"
      review={review || undefined}
      asksReason
      onConfirm={(reason) =>
        write(
          () => staffApi.brokerAdmin.createKol({ ...request, ...reason }),
          (kol) => `${nameOfKol(kol)} is a KOL at ${percentText(kol.rebate_rate)} %.`,
        )
      }
      onClose={onClose}
    >
      <TextField
        label="Wallet"
        hint="It must not be bound to another inviter."
        kind="code"
        placeholder="0x…"
        {...field("wallet")}
      />
      <TextField label="Name" hint="Optional. Shown in lists and on the leaderboard." {...field("nickname")} />
      <LevelSelect tiers={tiers} {...field("level")} />
      <OwnerSelect label="Owner" bds={bds} {...field("owner")} />
    </ReviewDialog>
  );
}
