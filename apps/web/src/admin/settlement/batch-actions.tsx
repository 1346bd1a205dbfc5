import type { PayoutBatch } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { type Change, ConfirmAction } from "../../kit/dialog.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { formatMoney } from "../../lib/format.ts";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { type BatchWish, exactUsdt, isTxHash, payLabel, WISHES } from "./batch-words.ts";

interface WishProps {
  readonly batch: PayoutBatch;
  readonly onClose: () => void;
}

const figuresOf = ({ total_amount, payee_count, line_count, period }: PayoutBatch): Change[] => [
  { what: "Total", after: exactUsdt(total_amount) },
  { what: "Payees", after: String(payee_count) },
  { what: "Lines", after: String(line_count) },
  { what: "Days", after: period ?? "all closed days" },
];

function PayDialog({ batch, onClose }: WishProps) {
  const write = useWrite();
  const sayPaid = ({ status, total_amount, payee_count }: PayoutBatch) =>
    status === "paid"
      ? `${formatMoney(total_amount)} USDT are with ${counted(payee_count, "partner")}.`
      : "The payment is on its way and goes on by itself.";
  return (
    <ConfirmAction
      title="Pay this batch"
      changes={[
        ...figuresOf(batch),
        { what: "From", after: "the exchange's fee account" },
        { what: "To", after: "the referral contract, for each payee to claim" },
        { what: "Status", before: batch.status, after: "paid" },
      ]}
      warning="Once the fee account has paid it can only be finished, not undone."
      actionLabel={payLabel(batch)}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() => write(() => staffApi.brokerAdmin.payPayoutBatch(batch.id), sayPaid)}
    />
  );
}

function CancelDialog({ batch, onClose }: WishProps) {
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
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() =>
        write(
          () => staffApi.brokerAdmin.cancelPayoutBatch(batch.id),
          () => "The batch is cancelled; its lines are pending again.",
        )
      }
    />
  );
}

/** Paid elsewhere: the chain is asked whether the transaction covers every payee. */
function OutsideDialog({ batch, onClose }: WishProps) {
  const write = useWrite();
  const [hash, setHash] = useState("");
  const [isAsking, setAsking] = useState(false);
  if (isAsking) {
    return (
      <ConfirmAction
        title="Mark as paid outside"
        changes={[
          ...figuresOf(batch),
          {
            what: "Transaction",
            after: <span className="font-mono text-xs break-all whitespace-normal">{hash.trim()}</span>,
          },
          { what: "Status", before: batch.status, after: "paid" },
        ]}
        warning="Its transfers are checked against every payee first. The platform pays nothing for this batch then."
        actionLabel={`Mark ${formatMoney(batch.total_amount)} USDT to ${counted(batch.payee_count, "partner")} as paid`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        onConfirm={() =>
          write(
            () => staffApi.brokerAdmin.confirmPayoutBatch(batch.id, hash.trim()),
            () => "The batch is paid: the transaction covers every payee.",
          )
        }
      />
    );
  }
  return (
    <FormDialog
      title="Paid by an outside transaction"
      description="For a payment that was made from another wallet: one transaction whose USDT transfers cover every payee of the batch."
      submitLabel="Review"
      isReady={isTxHash(hash)}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <Field
        label="Transaction hash"
        error={hash === "" || isTxHash(hash) ? undefined : "A transaction hash is 0x and 64 hex digits."}
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="font-mono"
            spellCheck={false}
            placeholder="0x…"
            value={hash}
            onChange={(event) => setHash(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

const DIALOGS: Readonly<Record<BatchWish, typeof PayDialog>> = {
  pay: PayDialog,
  confirm: OutsideDialog,
  cancel: CancelDialog,
};

/** Only what the batch's state allows is offered. */
export function BatchActions({ batch }: { readonly batch: PayoutBatch }) {
  const [wish, setWish] = useState<BatchWish>();
  const offered = WISHES[batch.status];
  const Asked = wish === undefined ? undefined : DIALOGS[wish];
  return (
    <>
      {offered.includes("cancel") && (
        <Button look="quiet" onClick={() => setWish("cancel")}>
          Cancel batch
        </Button>
      )}
      {offered.includes("confirm") && <Button onClick={() => setWish("confirm")}>Paid outside</Button>}
      {offered.includes("pay") && (
        <Button look="primary" onClick={() => setWish("pay")}>
          {batch.status === "paying" ? "Go on paying" : payLabel(batch)}
        </Button>
      )}
      {Asked !== undefined && <Asked batch={batch} onClose={() => setWish(undefined)} />}
    </>
  );
}
