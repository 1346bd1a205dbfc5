import type { BdAccount } from "@bourse/api/client";
import { Field, Select } from "../../kit/field.tsx";
import { COMPANY } from "./queries.ts";

interface OwnerSelectProps {
  readonly label: string;
  readonly bds: readonly BdAccount[];
  readonly value: string;
  /** Whoever owns it now needs not be offered. */
  readonly except?: string | null;
  readonly onChange: (bdId: string) => void;
}

/** Who can be given KOLs: the company, or a BD that is not disabled. */
export function OwnerSelect({ label, bds, value, except, onChange }: OwnerSelectProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose …</option>
          {except !== null && <option value={COMPANY}>The company (no BD)</option>}
          {bds
            .filter((bd) => bd.status === "active" && bd.id !== except)
            .map((bd) => (
              <option key={bd.id} value={bd.id}>
                {bd.display_name} ({bd.username})
              </option>
            ))}
        </Select>
      )}
    </Field>
  );
}
