import { Field, TextInput } from "../../kit/field.tsx";

const MOST_CHARACTERS = 500;

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Why: kept in the audit log beside what was done. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  return (
    <Field label="Reason" hint="Optional. Kept in the audit log.">
      {(ids) => (
        <TextInput
          {...ids}
          maxLength={MOST_CHARACTERS}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** What was typed as a field of a request: nothing where nothing was. */
export const reasonOf = (text: string): { readonly reason?: string } =>
  text.trim() === "" ? {} : { reason: text.trim() };
