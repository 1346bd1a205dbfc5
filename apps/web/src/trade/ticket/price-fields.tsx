import type { RefObject } from "react";
import { DecimalInput, Field, Select } from "../../kit/field.tsx";
import { type Draft, KINDS, type Problems, type WorkingType } from "./draft.ts";
import type { ChangeDraft } from "./draft-store.ts";
import type { Prices } from "./market-rules.ts";

interface PriceFieldsProps {
  readonly draft: Draft;
  readonly onChange: ChangeDraft;
  readonly problems: Problems;
  readonly prices: Prices;
  readonly priceInput: RefObject<HTMLInputElement | null>;
}

const END_BUTTON = "pointer-events-auto rounded-sm px-1 py-0.5 text-accent hover:bg-hover";

/** What a press of the arrows does to a price is the browser's affair nowhere: text stays text. */
function BestPrice({ draft, onChange, prices }: Pick<PriceFieldsProps, "draft" | "onChange" | "prices">) {
  const best = draft.side === "BUY" ? prices.bid : prices.ask;
  return (
    <button
      type="button"
      className={END_BUTTON}
      disabled={best === undefined}
      onClick={() => best !== undefined && onChange({ price: best })}
    >
      {draft.side === "BUY" ? "Best bid" : "Best ask"}
    </button>
  );
}

function WorkingTypeSelect({ value, onChange, label }: WorkingTypeProps) {
  return (
    <Select aria-label={label} value={value} onChange={(event) => onChange(event.target.value as WorkingType)}>
      <option value="MARK_PRICE">Mark</option>
      <option value="CONTRACT_PRICE">Last</option>
    </Select>
  );
}
interface WorkingTypeProps {
  readonly label: string;
  readonly value: WorkingType;
  readonly onChange: (value: WorkingType) => void;
}

function TriggerFields({ draft, onChange, problems }: Pick<PriceFieldsProps, "draft" | "onChange" | "problems">) {
  const isTrailing = draft.kind === "TRAILING_STOP_MARKET";
  const [label, text, problem] = isTrailing
    ? ["Activation price (optional)", draft.activatePrice, problems.activatePrice]
    : ["Trigger price", draft.stopPrice, problems.stopPrice];
  const typed = (value: string) => onChange(isTrailing ? { activatePrice: value } : { stopPrice: value });
  return (
    <>
      <div className="grid grid-cols-[1fr_5.5rem] items-start gap-2">
        <Field label={label} error={problem}>
          {(ids) => <DecimalInput {...ids} value={text} onChange={(event) => typed(event.target.value)} end="USDT" />}
        </Field>
        <div className="flex flex-col gap-1">
          <span className="text-xs text-muted">Watches</span>
          <WorkingTypeSelect
            label="Price that triggers"
            value={draft.workingType}
            onChange={(workingType) => onChange({ workingType })}
          />
        </div>
      </div>
      {isTrailing && (
        <Field
          label="Callback rate"
          error={problems.callbackRate}
          hint="How far the price must come back from its best before it fires."
        >
          {(ids) => (
            <DecimalInput
              {...ids}
              value={draft.callbackRate}
              onChange={(event) => onChange({ callbackRate: event.target.value })}
              end="%"
            />
          )}
        </Field>
      )}
    </>
  );
}

/** Trigger and limit price, as far as the type has them. */
export function PriceFields({ draft, onChange, problems, prices, priceInput }: PriceFieldsProps) {
  const { isPriced, trigger } = KINDS[draft.kind];
  return (
    <>
      {trigger !== "none" && <TriggerFields draft={draft} onChange={onChange} problems={problems} />}
      {isPriced && (
        <Field label="Price" error={problems.price}>
          {(ids) => (
            <DecimalInput
              {...ids}
              ref={priceInput}
              value={draft.price}
              onChange={(event) => onChange({ price: event.target.value })}
              className="pr-20"
              end={<BestPrice draft={draft} onChange={onChange} prices={prices} />}
            />
          )}
        </Field>
      )}
    </>
  );
}
