import type { RefObject } from "react";
import { DecimalInput, Slider } from "../../kit/field.tsx";
import { cx } from "../../lib/cx.ts";
import { decimalsOf, formatDecimal, formatMoney } from "../../lib/format.ts";
import type { Draft } from "./draft.ts";
import type { ChangeDraft } from "./draft-store.ts";
import { NotedField } from "./fields.tsx";
import type { MarketRules } from "./market-rules.ts";
import type { Resolved } from "./resolve.ts";
import { percentOfQuantity, quoteOfQuantity } from "./sizing.ts";

const MARKS = [0, 25, 50, 75, 100];

interface SizeFieldProps {
  readonly draft: Draft;
  readonly onChange: ChangeDraft;
  readonly problem: string | undefined;
  readonly market: MarketRules;
  readonly resolved: Resolved;
  readonly sizeInput: RefObject<HTMLInputElement | null>;
}

/** A size that the slider has chosen is shown as what it comes to. */
function shownText({ size, sizeUnit }: Draft, { quantity, reference }: Resolved, lot: string): string {
  if (size.by !== "percent") return size.text;
  if (quantity.isZero()) return "";
  if (sizeUnit === "base") return quantity.toFixed(decimalsOf(lot), "floor");
  return reference === undefined ? "" : quoteOfQuantity(quantity, reference).toFixed(2, "floor");
}

/** The other unit, so that one sees both. */
function otherUnit({ sizeUnit, size }: Draft, { quantity, reference }: Resolved, base: string): string | undefined {
  if (quantity.isZero() || reference === undefined) return undefined;
  if (sizeUnit === "quote" && size.by !== "percent") return `≈ ${formatDecimal(quantity.toString())} ${base}`;
  if (sizeUnit === "quote") return `${formatDecimal(quantity.toString())} ${base}`;
  return `≈ ${formatMoney(quoteOfQuantity(quantity, reference).toString())} USDT`;
}

function UnitSwitch({ draft, onChange, market }: Pick<SizeFieldProps, "draft" | "onChange" | "market">) {
  const next = draft.sizeUnit === "base" ? "quote" : "base";
  const unit = draft.sizeUnit === "base" ? market.base_asset : "USDT";
  const other = next === "base" ? market.base_asset : "USDT";
  const swap = () =>
    onChange({ sizeUnit: next, ...(draft.size.by === "percent" ? {} : { size: { by: next, text: "" } }) });
  return (
    <button
      type="button"
      onClick={swap}
      aria-label={`Size in ${unit}, switch to ${other}`}
      title={`Switch to ${other}`}
      className="rounded-sm px-1 py-0.5 text-accent hover:bg-hover"
    >
      {unit} ⇄
    </button>
  );
}

/** By quantity, by USDT, or by the part of what is possible. */
export function SizeField({ draft, onChange, problem, market, resolved, sizeInput }: SizeFieldProps) {
  const { most, quantity } = resolved;
  const percent =
    draft.size.by === "percent" ? draft.size.percent : most === undefined ? 0 : percentOfQuantity(quantity, most);
  const choose = (next: number) => onChange({ size: { by: "percent", percent: Math.round(next) } });
  const canSlide = most !== undefined && !most.isZero();
  return (
    <div className="flex flex-col gap-1">
      <NotedField label="Size" error={problem} note={otherUnit(draft, resolved, market.base_asset)}>
        {(ids) => (
          <DecimalInput
            {...ids}
            ref={sizeInput}
            value={shownText(draft, resolved, market.lot_size)}
            onChange={(event) => onChange({ size: { by: draft.sizeUnit, text: event.target.value } })}
            placeholder="0"
            className="pr-20"
            end={<UnitSwitch draft={draft} onChange={onChange} market={market} />}
          />
        )}
      </NotedField>
      <div className={cx("px-2", !canSlide && "pointer-events-none opacity-55")}>
        <Slider
          label="Part of what is possible"
          value={percent}
          min={0}
          max={100}
          onChange={choose}
          valueText={`${Math.round(percent)} percent`}
        />
      </div>
      <div className="flex justify-between">
        {MARKS.map((mark) => (
          <button
            key={mark}
            type="button"
            disabled={!canSlide}
            aria-label={`${mark} percent of what is possible`}
            onClick={() => choose(mark)}
            className={cx(
              "num min-w-9 rounded-sm py-0.5 text-xs hover:bg-hover disabled:opacity-55",
              draft.size.by === "percent" && draft.size.percent === mark ? "text-accent" : "text-faint",
            )}
          >
            {mark} %
          </button>
        ))}
      </div>
    </div>
  );
}
