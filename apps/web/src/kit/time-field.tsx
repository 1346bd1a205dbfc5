import type { ReactNode } from "react";
import { isoOfLocalInput } from "../lib/local-time.ts";
import { formatUtc } from "../lib/time.ts";
import { TextField } from "./field.tsx";

interface TimeFieldProps {
  readonly label: ReactNode;
  /** In the reader's zone, as the browser's own field has it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  /** Said while the field is empty. */
  readonly whenEmpty?: string;
  readonly className?: string;
}

/** A moment, typed in the reader's zone, with UTC below it. */
export function TimeField({ label, value, onChange, error, isDisabled = false, whenEmpty, className }: TimeFieldProps) {
  const iso = isoOfLocalInput(value);
  return (
    <TextField
      label={label}
      hint={iso === undefined ? (whenEmpty ?? "In your own time zone.") : formatUtc(iso)}
      error={error}
      {...(className === undefined ? {} : { className })}
      inputClass="num"
      type="datetime-local"
      step={1}
      disabled={isDisabled}
      value={value}
      onChange={onChange}
    />
  );
}
