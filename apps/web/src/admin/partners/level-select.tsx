import type { Tier } from "@bourse/api/client";
import { SelectField } from "../../kit/field.tsx";
import { percentText } from "../frame/percent.ts";

interface LevelSelectProps {
  readonly tiers: readonly Tier[];
  readonly value: string;
  readonly onChange: (level: string) => void;
}

/** One of the configured tiers. A level that is no longer a tier can only be kept. */
export function LevelSelect({ tiers, value, onChange }: LevelSelectProps) {
  const isKnown = tiers.some(({ level }) => String(level) === value);
  const options = [
    ...(value === "" ? [{ value, label: "Choose …" }] : isKnown ? [] : [{ value, label: `L${value} (no such tier)` }]),
    ...tiers.map(({ level, label, rebate_rate }) => ({
      value: String(level),
      label: `L${level} ${label}, ${percentText(rebate_rate)} %`,
    })),
  ];
  const error = tiers.length === 0 ? "No tiers are configured. Set them on the Tiers page." : undefined;
  return <SelectField label="Tier" error={error} options={options} value={value} onChange={onChange} />;
}
