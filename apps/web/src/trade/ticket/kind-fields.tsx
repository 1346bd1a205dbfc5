import { Segmented, Select } from "../../kit/field.tsx";
import { type Draft, isConditional, KINDS, type Kind } from "./draft.ts";
import type { ChangeDraft } from "./draft-store.ts";

const GROUPS = [
  { value: "LIMIT", label: "Limit" },
  { value: "MARKET", label: "Market" },
  { value: "CONDITIONAL", label: "Conditional" },
] as const;

const CONDITIONAL = (Object.keys(KINDS) as Kind[]).filter(isConditional);

/** Limit and market at hand, the types that wait for a trigger one step behind. */
export function KindFields({ draft, onChange }: { readonly draft: Draft; readonly onChange: ChangeDraft }) {
  const group = isConditional(draft.kind) ? "CONDITIONAL" : draft.kind;
  const choose = (next: (typeof GROUPS)[number]["value"]) =>
    onChange({ kind: next === "CONDITIONAL" ? "STOP_MARKET" : next });
  return (
    <>
      <Segmented
        label="Order type"
        options={GROUPS}
        value={group as (typeof GROUPS)[number]["value"]}
        onChange={choose}
        className="w-full"
      />
      {isConditional(draft.kind) && (
        <Select
          aria-label="Conditional type"
          value={draft.kind}
          onChange={(event) => onChange({ kind: event.target.value as Kind })}
        >
          {CONDITIONAL.map((kind) => (
            <option key={kind} value={kind}>
              {KINDS[kind].label}
            </option>
          ))}
        </Select>
      )}
    </>
  );
}
