import { type ComponentProps, useState } from "react";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";

const MAX_CHARACTERS = 500;

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isRequired?: boolean;
}

/** Why something is done. The audit log keeps it with the action. */
export const ReasonField = ({ isRequired = false, ...rest }: ReasonFieldProps) => (
  <TextField
    label="Reason"
    hint={`${isRequired ? "Required" : "Optional"}. Kept in the audit log.`}
    maxLength={MAX_CHARACTERS}
    {...rest}
  />
);

/** The reason as a field of a request; absent where nothing was typed. */
export interface Reason {
  readonly reason?: string;
}

export const reasonOf = (text: string): Reason => (text.trim() === "" ? {} : { reason: text.trim() });

interface ConfirmWithReasonProps extends Omit<ComponentProps<typeof ConfirmAction>, "onConfirm"> {
  readonly onConfirm: (reason: Reason) => Promise<unknown>;
}

/** Asks for a reason together with the confirmation. */
export function ConfirmWithReason({ onConfirm, children, ...rest }: ConfirmWithReasonProps) {
  const [reason, setReason] = useState("");
  return (
    <ConfirmAction {...rest} onConfirm={() => onConfirm(reasonOf(reason))}>
      <ReasonField value={reason} onChange={setReason} />
      {children}
    </ConfirmAction>
  );
}
