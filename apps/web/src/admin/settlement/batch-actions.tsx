import type { PayoutBatch } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { type Change, ConfirmAction } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { formatMoney } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { ReviewDialog } from "../frame/review-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { BATCH_ACTIONS, type BatchAction, exactUsdt, isTxHash, payLabel } from "./batch-words.ts";

interface ActionProps {
  readonly batch: PayoutBatch;
  readonly onClose: () => void;
}

const figuresOf = ({ total_amount, payee_count, line_count, period }: PayoutBatch): Change[] => [
  { what: "Total", after: exactUsdt(total_amount) },
  { what: "Payees", after: String(payee_count) },
  { what: "Lines", after: String(line_count) },
  { what: "Days", after: period ?? "all closed days" },
];

function PayDialog({ batch, onClose }: ActionProps) {
  const write = useWrite();
  const sayPaid = ({ status, total_amount, payee_count }: PayoutBatch) =>
    status === "paid"
      ? `${formatMoney(total_amount)} USDT are with ${counted(payee_count, "partner")}.`
      : "The payment is under way and continues automatically.";
  return (
    <ConfirmAction
      title="Pay this batch"
      changes={[
        ...figuresOf(batch),
        { what: "From", after: "the exchange's fee account" },
        { what: "To", after: "the referral contract, for each payee to claim" },
        { what: "Status", before: batch.status, after: "paid" },
      ]}
      warning="Once the fee account has paid, the payout can only be completed, not undone."
      actionLabel={payLabel(batch)}
      onClose={onClose}
      onConfirm={() => write(() => staffApi.brokerAdmin.payPayoutBatch(batch.id), sayPaid)}
    />
  );
}

function CancelDialog({ batch, onClose }: ActionProps) {
  const write = useWrite();
  return (
    <ConfirmAction
      title="Cancel this batch"
      changes={[
        { what: "Status", before: batch.status, after: "cancelled" },
        { what: `Its ${counted(batch.line_count, "line")}`, before: "in this batch", after: "pending again" },
        { what: "Money", after: "none has moved" },
      ]}
      actionLabel={`Cancel the batch of ${formatMoney(batch.total_amount)} USDT`}
      onClose={onClose}
      onConfirm={() =>
        write(
          () => staffApi.brokerAdmin.cancelPayoutBatch(batch.id),
          () => "The batch is cancelled; its lines are pending again.",
        )
      }
    />
  );
}

/** For a batch that was paid elsewhere: the server checks on the chain that the transaction covers every payee. */
function OutsideDialog({ batch, onClose }: ActionProps) {
  const write = useWrite();
  const [text, setHash] = useState("");
  const hash = text.trim();
  const review = {
    title: "Mark as paid outside",
    changes: [
      ...figuresOf(batch),
      { what: "Transaction", after: <span className="font-mono text-xs break-all whitespace-normal">{hash}</span> },
      { what: "Status", before: batch.status, after: "paid" },
    ],
    warning: "Its transfers are checked against every payee first. Then the platform pays nothing for this batch.",
    actionLabel: `Mark ${formatMoney(batch.total_amount)} USDT to ${counted(batch.payee_count, "partner")} as paid`,
  };
  return (
    <ReviewDialog
      title="Paid by an outside transaction"
      description="For a payment that was made from another wallet: one transaction whose USDT transfers cover every payee of the batch."
      review={isTxHash(hash) ? review : undefined}
      onConfirm={() =>
        write(
          () => staffApi.brokerAdmin.confirmPayoutBatch(batch.id, hash),
          () => "The batch is paid: the transaction covers every payee.",
        )
      }
      onClose={onClose}
    >
      <TextField
        label="Transaction hash"
        kind="code"
        placeholder="0x…"
        error={hash === "" || isTxHash(hash) ? undefined : "A transaction hash is 0x and 64 hex digits."}
        value={text}
        onChange={setHash}
      />
    </ReviewDialog>
  );
}

const DIALOGS: Readonly<Record<BatchAction, typeof PayDialog>> = {
  pay: PayDialog,
  confirm: OutsideDialog,
  cancel: CancelDialog,
};

/** Offers only what the batch's status allows. */
export function BatchActions({ batch }: { readonly batch: PayoutBatch }) {
  const [action, setAction] = useState<BatchAction>();
  const offered = BATCH_ACTIONS[batch.status];
  const Asked = action === undefined ? undefined : DIALOGS[action];
  return (
    <>
      {offered.includes("cancel") && (
        <Button look="quiet" onClick={() => setAction("cancel")}>
          Cancel batch
        </Button>
      )}
      {offered.includes("confirm") && <Button onClick={() => setAction("confirm")}>Paid outside</Button>}
      {offered.includes("pay") && (
        <Button look="primary" onClick={() => setAction("pay")}>
          {batch.status === "paying" ? "Continue paying" : payLabel(batch)}
        </Button>
      )}
      {Asked !== undefined && <Asked batch={batch} onClose={() => setAction(undefined)} />}
    </>
  );
}
