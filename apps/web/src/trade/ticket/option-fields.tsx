import { Checkbox, DecimalInput, Select } from "../../kit/field.tsx";
import { type Draft, isConditional, KINDS, type Problems, type TimeInForce } from "./draft.ts";
import type { ChangeDraft } from "./draft-store.ts";
import { InlineField } from "./fields.tsx";

interface OptionFieldsProps {
  readonly draft: Draft;
  readonly onChange: ChangeDraft;
  readonly problems: Problems;
}

const TIMES: readonly { readonly value: TimeInForce; readonly label: string }[] = [
  { value: "GTC", label: "Good till cancelled" },
  { value: "GTX", label: "Post-only" },
  { value: "IOC", label: "Immediate or cancel" },
  { value: "FOK", label: "Fill or kill" },
];

/** How long it stands, whether it only reduces, how much slippage is allowed. */
export function OptionFields({ draft, onChange, problems }: OptionFieldsProps) {
  const { isPriced } = KINDS[draft.kind];
  return (
    <>
      {isPriced && (
        <InlineField label="Time in force" error={problems.timeInForce}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.timeInForce}
              onChange={(event) => onChange({ timeInForce: event.target.value as TimeInForce })}
            >
              {TIMES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </InlineField>
      )}
      {draft.kind === "MARKET" && (
        <InlineField label="Max. slippage" error={problems.maxSlippage}>
          {(ids) => (
            <DecimalInput
              {...ids}
              value={draft.maxSlippage}
              placeholder="None"
              onChange={(event) => onChange({ maxSlippage: event.target.value })}
              end="%"
            />
          )}
        </InlineField>
      )}
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        <Checkbox
          label="Reduce-only"
          isChecked={draft.isReduceOnly}
          onChange={(isReduceOnly) => onChange({ isReduceOnly })}
        />
        {!isConditional(draft.kind) && (
          <Checkbox
            label="Take profit / stop loss"
            isChecked={draft.hasAttached && !draft.isReduceOnly}
            isDisabled={draft.isReduceOnly}
            onChange={(hasAttached) => onChange({ hasAttached })}
          />
        )}
      </div>
      {problems.reduceOnly !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {problems.reduceOnly}
        </p>
      )}
    </>
  );
}
