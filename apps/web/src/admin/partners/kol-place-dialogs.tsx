import type { AdminKol } from "@bourse/api/client";
import { useState } from "react";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { shortHash } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { percentText } from "../frame/percent.ts";
import { ReasonField, reasonOf } from "../frame/reason-field.tsx";
import { useWrite } from "../frame/write.ts";
import { problemOfNickname } from "./kol-change.ts";
import { LevelSelect } from "./level-select.tsx";
import { OwnerSelect } from "./owner-select.tsx";
import { COMPANY, nameOfBd, nameOfKol, useBds, useTiers } from "./queries.ts";

interface KolDialogProps {
  readonly kol: AdminKol;
  readonly onClose: () => void;
}

/** A tier with its rate. */
export function TierDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const { data: tiers = [] } = useTiers();
  const [level, setLevel] = useState(String(kol.level ?? ""));
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const name = nameOfKol(kol);
  const tier = tiers.find((each) => String(each.level) === level);
  const now = tiers.find((each) => each.level === kol.level);
  if (isAsking && tier !== undefined) {
    const rate = `${percentText(tier.rebate_rate)} %`;
    return (
      <ConfirmAction
        title={`Set the tier of ${name}`}
        changes={[
          { what: "Tier", before: now?.label ?? `L${kol.level}`, after: tier.label },
          { what: "Rate of every fill from now on", before: `${percentText(kol.rebate_rate)} %`, after: rate },
        ]}
        actionLabel={`Set ${name} to ${tier.label}, ${rate}`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        onConfirm={() =>
          write(
            () => staffApi.brokerAdmin.setKolTier(kol.broker_id, { tier_level: tier.level, ...reasonOf(reason) }),
            (reply) => `${name} is ${reply.label} at ${percentText(reply.rebate_rate)} %.`,
          )
        }
      />
    );
  }
  return (
    <FormDialog
      title={`Set the tier of ${name}`}
      description={`Now: ${now?.label ?? `level ${kol.level}`} at ${percentText(kol.rebate_rate)} %. The KOL gets the tier's rate.`}
      submitLabel="Review the change"
      isReady={tier !== undefined && (tier.level !== kol.level || tier.rebate_rate !== kol.rebate_rate)}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <LevelSelect tiers={tiers} value={level} onChange={setLevel} />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

export function MoveKolDialog({ kol, onClose }: KolDialogProps) {
  const write = useWrite();
  const { data: bds = [] } = useBds();
  const [owner, setOwner] = useState("");
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const name = nameOfKol(kol);
  const from = nameOfBd(bds, kol.bd_owner_id);
  const to = nameOfBd(bds, owner);
  if (isAsking) {
    return (
      <ConfirmAction
        title={`Move ${name}`}
        changes={[
          { what: "Owner", before: from, after: to },
          { what: "Its sub-KOLs", after: "move with it" },
          { what: "Rates, codes, customers", after: "stay as they are" },
        ]}
        actionLabel={`Move ${name} to ${to}`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        onConfirm={() =>
          write(
            () => staffApi.brokerAdmin.reassignKol(kol.broker_id, { new_owner: owner, ...reasonOf(reason) }),
            () => `${name} belongs to ${to} now.`,
          )
        }
      />
    );
  }
  return (
    <FormDialog
      title={`Move ${name}`}
      description={`Owner now: ${from}.`}
      submitLabel="Review the move"
      isReady={owner !== ""}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <OwnerSelect label="New owner" bds={bds} except={kol.bd_owner_id} value={owner} onChange={setOwner} />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

interface NewKolDialogProps {
  readonly onClose: () => void;
}

/** A KOL for a wallet that is known, without a code. */
export function NewKolDialog({ onClose }: NewKolDialogProps) {
  const write = useWrite();
  const { data: bds = [] } = useBds();
  const { data: tiers = [] } = useTiers();
  const [wallet, setWallet] = useState("");
  const [nickname, setNickname] = useState("");
  const [level, setLevel] = useState("");
  const [owner, setOwner] = useState(COMPANY);
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const isWallet = ADDRESS.test(wallet.trim());
  const nameProblem = problemOfNickname(nickname);
  const tier = tiers.find((each) => String(each.level) === level);
  const name = nickname.trim() === "" ? shortHash(wallet.trim()) : nickname.trim();
  const request = {
    wallet_address: wallet.trim(),
    level: Number(level),
    ...(owner === COMPANY ? {} : { bd_id: owner }),
    ...(nickname.trim() === "" ? {} : { nickname: nickname.trim() }),
    ...reasonOf(reason),
  };
  if (isAsking && tier !== undefined) {
    return (
      <ConfirmAction
        title="Create a KOL"
        changes={[
          {
            what: "Wallet",
            after: <span className="font-mono text-xs break-all whitespace-normal">{wallet.trim()}</span>,
          },
          { what: "Name", after: nickname.trim() === "" ? "none" : nickname.trim() },
          { what: "Tier", after: tier.label },
          { what: "Rate of the fees it refers", after: `${percentText(tier.rebate_rate)} %` },
          { what: "Owner", after: nameOfBd(bds, owner) },
        ]}
        warning="A KOL can be frozen later, not removed."
        actionLabel={`Make ${name} a ${tier.label} KOL`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        onConfirm={() =>
          write(
            () => staffApi.brokerAdmin.createKol(request),
            (kol) => `${nameOfKol(kol)} is a KOL at ${percentText(kol.rebate_rate)} %.`,
          )
        }
      />
    );
  }
  return (
    <FormDialog
      title="New KOL"
      submitLabel="Review the KOL"
      isReady={isWallet && tier !== undefined && owner !== "" && nameProblem === undefined}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <Field
        label="Wallet"
        error={wallet === "" || isWallet ? undefined : "An address is 0x and 40 hex digits."}
        hint="It must not be bound to another inviter."
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="font-mono"
            spellCheck={false}
            placeholder="0x…"
            value={wallet}
            onChange={(event) => setWallet(event.target.value)}
          />
        )}
      </Field>
      <Field label="Name" hint="Optional. As it stands in lists and on the leaderboard." error={nameProblem}>
        {(ids) => <TextInput {...ids} value={nickname} onChange={(event) => setNickname(event.target.value)} />}
      </Field>
      <LevelSelect tiers={tiers} value={level} onChange={setLevel} />
      <OwnerSelect label="Owner" bds={bds} value={owner} onChange={setOwner} />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
