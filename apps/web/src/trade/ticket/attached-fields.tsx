import { DecimalInput, Select } from "../../kit/field.tsx";
import { formatMoney } from "../../lib/format.ts";
import { asWritten } from "../account/words.ts";
import { pnlAt, type TriggerRole, triggerPriceOf } from "./attached.ts";
import {
  type AttachedDraft,
  type Draft,
  isConditional,
  type Problems,
  type TriggerMeasure,
  type WorkingType,
} from "./draft.ts";
import type { ChangeDraft } from "./draft-store.ts";
import { InlineField, NotedField } from "./fields.tsx";
import type { MarketRules } from "./market-rules.ts";
import type { Resolved } from "./resolve.ts";

const ROLES = [
  { role: "take_profit", field: "takeProfit", label: "Take profit" },
  { role: "stop_loss", field: "stopLoss", label: "Stop loss" },
] as const;

const MEASURES: readonly { readonly value: TriggerMeasure; readonly label: string }[] = [
  { value: "price", label: "Price" },
  { value: "percent", label: "%" },
  { value: "pnl", label: "PnL" },
];
const UNITS: Record<TriggerMeasure, string> = { price: "USDT", percent: "%", pnl: "USDT" };

interface AttachedFieldsProps {
  readonly draft: Draft;
  readonly onChange: ChangeDraft;
  readonly problems: Problems;
  readonly market: MarketRules;
  readonly resolved: Resolved;
}

function consequence(given: AttachedDraft, role: TriggerRole, { draft, market, resolved }: AttachedFieldsProps) {
  const { reference: entry, quantity } = resolved;
  if (entry === undefined) return undefined;
  const ground = { side: draft.side, role, entry, quantity, tick: market.tick_size };
  const trigger = triggerPriceOf(given, ground);
  if (trigger === undefined) return undefined;
  const pnl = quantity.isZero() ? "" : ` · ${formatMoney(pnlAt(trigger, ground).toString(), { signed: true })} USDT`;
  return `at ${asWritten(trigger)}${pnl}`;
}

/** What closes the position again: as a price, as a move of the price, or as what it brings. */
export function AttachedFields(props: AttachedFieldsProps) {
  const { draft, onChange, problems } = props;
  if (!draft.hasAttached || draft.isReduceOnly || isConditional(draft.kind)) return null;
  const watch = (workingType: WorkingType) =>
    onChange((now) => ({
      ...now,
      takeProfit: { ...now.takeProfit, workingType },
      stopLoss: { ...now.stopLoss, workingType },
    }));
  return (
    <div className="flex flex-col gap-2 rounded-md bg-ground p-2">
      {ROLES.map(({ role, field, label }) => {
        const given = draft[field];
        const set = (change: Partial<AttachedDraft>) =>
          onChange((now) => ({ ...now, [field]: { ...now[field], ...change } }));
        return (
          <NotedField key={role} label={label} note={consequence(given, role, props)} error={problems[field]}>
            {(ids) => (
              <div className="grid grid-cols-[1fr_5.5rem] gap-2">
                <DecimalInput
                  {...ids}
                  value={given.text}
                  placeholder="None"
                  onChange={(event) => set({ text: event.target.value })}
                  end={UNITS[given.measure]}
                />
                <Select
                  aria-label={`${label} by`}
                  value={given.measure}
                  onChange={(event) => set({ measure: event.target.value as TriggerMeasure, text: "" })}
                >
                  {MEASURES.map(({ value, label: name }) => (
                    <option key={value} value={value}>
                      {name}
                    </option>
                  ))}
                </Select>
              </div>
            )}
          </NotedField>
        );
      })}
      <InlineField label="Triggered by">
        {(ids) => (
          <Select
            {...ids}
            value={draft.takeProfit.workingType}
            onChange={(event) => watch(event.target.value as WorkingType)}
          >
            <option value="MARK_PRICE">Mark price</option>
            <option value="CONTRACT_PRICE">Last price</option>
          </Select>
        )}
      </InlineField>
    </div>
  );
}
