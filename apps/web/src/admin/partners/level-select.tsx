import type { Tier } from "@bourse/api/client";
import { Field, Select } from "../../kit/field.tsx";
import { percentText } from "../frame/percent.ts";

interface LevelSelectProps {
  readonly tiers: readonly Tier[];
  readonly value: string;
  readonly onChange: (level: string) => void;
}

/** A level of the tiers there are; one that is no tier any more can only be kept. */
export function LevelSelect({ tiers, value, onChange }: LevelSelectProps) {
  const isKnown = value === "" || tiers.some(({ level }) => String(level) === value);
  return (
    <Field
      label="Tier"
      {...(tiers.length === 0 ? { error: "No tiers are configured. Set them on the Tiers page." } : {})}
    >
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          {value === "" && <option value="">Choose …</option>}
          {!isKnown && <option value={value}>L{value} (no such tier)</option>}
          {tiers.map(({ level, label, rebate_rate }) => (
            <option key={level} value={String(level)}>
              L{level} {label}, {percentText(rebate_rate)} %
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
