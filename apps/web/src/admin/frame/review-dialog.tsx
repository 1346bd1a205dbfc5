import { type ReactNode, useState } from "react";
import { type Change, ConfirmAction } from "../../kit/dialog.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { type Reason, ReasonField, reasonOf } from "./reason-field.tsx";

/** What an action will change, for the second question. */
export interface Review {
  readonly title?: string;
  readonly changes: readonly Change[];
  readonly warning?: ReactNode;
  readonly actionLabel: string;
  readonly typed?: string | undefined;
}

interface ReviewDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isWide?: boolean;
  /** Undefined while the form cannot be sent. */
  readonly review: Review | undefined;
  readonly asksReason?: boolean;
  readonly onConfirm: (reason: Reason) => Promise<unknown>;
  readonly onClose: () => void;
  /** After success; closes unless something else is to be shown. */
  readonly onDone?: () => void;
  readonly children: ReactNode;
}

/** A form, then what it will change and a second question. Declining returns to the form with what was typed. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, review, asksReason = false, onConfirm, onClose, onDone = onClose, children, ...form } = props;
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  if (isAsking && review !== undefined) {
    return (
      <ConfirmAction
        title={title}
        {...review}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await onConfirm(reasonOf(reason));
          onDone();
        }}
      />
    );
  }
  return (
    <FormDialog
      {...form}
      title={title}
      submitLabel="Review"
      isReady={review !== undefined && review.changes.length > 0}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      {children}
      {asksReason && <ReasonField value={reason} onChange={setReason} />}
    </FormDialog>
  );
}
