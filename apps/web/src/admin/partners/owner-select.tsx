import type { BdAccount } from "@bourse/api/client";
import { SelectField } from "../../kit/field.tsx";
import { COMPANY } from "./queries.ts";

interface OwnerSelectProps {
  readonly label: string;
  readonly bds: readonly BdAccount[];
  readonly value: string;
  /** The present owner, which is not offered; null: the company. */
  readonly except?: string | null;
  readonly onChange: (bdId: string) => void;
}

/** Who can own KOLs: the company, or a BD that is not disabled. */
export function OwnerSelect({ label, bds, value, except, onChange }: OwnerSelectProps) {
  const options = [
    { value: "", label: "Choose …" },
    ...(except === null ? [] : [{ value: COMPANY, label: "The company (no BD)" }]),
    ...bds
      .filter((bd) => bd.status === "active" && bd.id !== except)
      .map((bd) => ({ value: bd.id, label: `${bd.display_name} (${bd.username})` })),
  ];
  return <SelectField label={label} options={options} value={value} onChange={onChange} />;
}
