import { useId } from "react";
import { cx } from "../../lib/cx.ts";
import type { Side } from "./draft.ts";

const SIDES = [
  { value: "BUY", label: "Buy / Long", chosen: "has-checked:bg-up-solid" },
  { value: "SELL", label: "Sell / Short", chosen: "has-checked:bg-down-solid" },
] as const;

export function SideToggle({ side, onChange }: { readonly side: Side; readonly onChange: (side: Side) => void }) {
  const name = useId();
  return (
    <fieldset className="grid grid-cols-2 gap-0.5 rounded-md bg-raised p-0.5">
      <legend className="sr-only">Side</legend>
      {SIDES.map(({ value, label, chosen }) => (
        <label
          key={value}
          className={cx(
            "flex h-8 cursor-pointer items-center justify-center rounded-sm text-sm font-medium text-muted select-none hover:text-text has-checked:text-on-solid has-focus-visible:outline-2 has-focus-visible:outline-accent",
            chosen,
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={side === value}
            onChange={() => onChange(value)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
