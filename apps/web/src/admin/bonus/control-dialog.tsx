import { type BonusAccount, type BonusControlReply, RequestRefused } from "@bourse/api/client";
import { useState } from "react";
import { type Change, ConfirmAction } from "../../kit/dialog.tsx";
import { shortHash } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { ReasonField } from "../frame/reason-field.tsx";
import { useWriteOnce } from "../frame/write.ts";
import { heldOf } from "./account-figures.ts";
import { sayShort, sayUsdt } from "./grant-draft.ts";
import { OperatorField, useOperator } from "./operator.tsx";

/** The reason, which the bonus area requires. The button answers a press without one. */
export function reasonGiven(reason: string): string {
  if (reason.trim() === "") throw new Error("Give a reason first: it is kept in the audit log");
  return reason.trim();
}

export type Control = "freeze" | "unfreeze" | "recall";

interface ControlWords {
  readonly title: string;
  readonly label: (account: BonusAccount) => string;
  readonly lines: (account: BonusAccount) => Change[];
  readonly warning?: string;
  readonly say: (reply: BonusControlReply) => string;
}

const of = ({ address }: Pick<BonusAccount, "address">) => shortHash(address);
const held = (account: BonusAccount) => heldOf(account).toString();

const WORDS: Readonly<Record<Control, ControlWords>> = {
  freeze: {
    title: "Freeze a bonus",
    label: (account) => `Freeze ${sayShort(held(account))} of ${of(account)}`,
    lines: (account) => [
      { what: "Status", before: "running", after: "frozen" },
      { what: "Bonus", after: `${sayUsdt(held(account))} stay in the account` },
      { what: "Orders that do not reduce", before: "allowed", after: "cancelled, and refused" },
    ],
    warning: "The wallet can only close positions. The time until the bonus expires keeps running.",
    say: ({ still_locked_amount }) => `Frozen. ${sayUsdt(still_locked_amount)} of it are in margin.`,
  },
  unfreeze: {
    title: "Unfreeze a bonus",
    label: (account) => `Let ${of(account)} trade on ${sayShort(held(account))} again`,
    lines: (account) => [
      { what: "Status", before: "frozen", after: "running" },
      { what: "Bonus", after: sayUsdt(held(account)) },
      { what: "Orders that do not reduce", before: "refused", after: "allowed" },
    ],
    say: () => "It runs again.",
  },
  recall: {
    title: "Recall a bonus",
    label: (account) => `Recall ${sayShort(held(account))} of ${of(account)}`,
    lines: (account) => [
      { what: "Status", after: "over" },
      { what: "Bonus in the account", before: sayUsdt(held(account)), after: "0.00 USDT" },
      { what: "Back to the pool", after: sayUsdt(held(account)) },
    ],
    warning: "The wallet gets no other bonus of this campaign.",
    say: ({ recalled_amount }) => `${sayUsdt(recalled_amount)} are back in the pool.`,
  },
};

/** A refusal because of margin states what is locked now. */
function explained(error: unknown): unknown {
  if (!(error instanceof RequestRefused) || error.code !== "bonus_locked") return error;
  const locked = (error.details as { readonly still_locked_amount?: string } | undefined)?.still_locked_amount;
  if (locked === undefined) return error;
  return new Error(`${sayUsdt(locked)} of it are in margin now. Nothing was moved; close its positions first`);
}

interface ControlDialogProps {
  readonly account: BonusAccount;
  readonly control: Control;
  readonly onClose: () => void;
}

export function ControlDialog({ account, control, onClose }: ControlDialogProps) {
  const writeOnce = useWriteOnce();
  const operator_addr = useOperator();
  const [reason, setReason] = useState("");
  const { title, label, lines, warning, say } = WORDS[control];
  const act = async () => {
    const request = { target_address: account.address, reason: reasonGiven(reason), operator_addr };
    try {
      await writeOnce(control, request, (body) => staffApi.bonusAdmin[control](body), say);
    } catch (error) {
      throw explained(error);
    }
  };
  return (
    <ConfirmAction
      title={title}
      changes={[
        { what: "Wallet", after: <span className="font-mono text-xs break-all">{account.address}</span> },
        ...lines(account),
      ]}
      warning={warning}
      actionLabel={label(account)}
      onClose={onClose}
      onConfirm={act}
    >
      <ReasonField isRequired value={reason} onChange={setReason} />
      <OperatorField />
    </ConfirmAction>
  );
}
