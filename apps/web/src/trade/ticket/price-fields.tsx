import type { RefObject } from "react";
import { Select, TextField } from "../../kit/field.tsx";
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

/** Fills in the best price of the own side. */
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
        <TextField label={label} error={problem} kind="decimal" value={text} onChange={typed} end="USDT" />
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
        <TextField
          label="Callback rate"
          error={problems.callbackRate}
          hint="How far the price must come back from its best before it fires."
          kind="decimal"
          value={draft.callbackRate}
          onChange={(text) => onChange({ callbackRate: text })}
          end="%"
        />
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
        <TextField
          label="Price"
          error={problems.price}
          kind="decimal"
          inputClass="pr-20"
          ref={priceInput}
          value={draft.price}
          onChange={(text) => onChange({ price: text })}
          end={<BestPrice draft={draft} onChange={onChange} prices={prices} />}
        />
      )}
    </>
  );
}
