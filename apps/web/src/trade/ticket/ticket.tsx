import { type FormEvent, type KeyboardEvent, useRef } from "react";
import { Skeleton } from "../../kit/states.tsx";
import { AttachedFields } from "./attached-fields.tsx";
import { isConditional } from "./draft.ts";
import { withIntent } from "./draft-store.ts";
import { FundingLine } from "./funding-line.tsx";
import { KindFields } from "./kind-fields.tsx";
import { OptionFields } from "./option-fields.tsx";
import { PreviewLines } from "./preview-lines.tsx";
import { PriceFields } from "./price-fields.tsx";
import { SettingsBar } from "./settings-bar.tsx";
import { SideToggle } from "./side-toggle.tsx";
import { SizeField } from "./size-field.tsx";
import { SubmitPart } from "./submit-part.tsx";
import { useIntents } from "./use-intents.ts";
import { type TicketView, useTicket } from "./use-ticket.ts";

/** The order form of a market. */
export function Ticket({ symbol }: { readonly symbol: string }) {
  const view = useTicket(symbol);
  return (
    <section
      aria-label={`Order for ${symbol}`}
      className="flex min-h-0 flex-col overflow-y-auto rounded-lg bg-panel p-3"
    >
      {view === undefined ? <Skeleton rows={14} label="Loading the order form" /> : <TicketForm view={view} />}
    </section>
  );
}

function TicketForm({ view }: { readonly view: TicketView }) {
  const { market, ground, draft, change, resolved, shownProblems, preview, estimate, refused } = view;
  const form = useRef<HTMLFormElement>(null);
  const inputs = { price: useRef<HTMLInputElement>(null), size: useRef<HTMLInputElement>(null) };
  useIntents((intent) => change((now) => withIntent(now, intent)), inputs);

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ground.isSignedIn) return;
    await view.submit();
    // What is wrong is marked only after React has rendered it.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  // Leaves the field, so that the page's keys work again.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && event.target instanceof HTMLInputElement) event.target.blur();
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-2"
      onKeyDown={onKeyDown}
      onSubmit={(event) => void onSubmit(event)}
    >
      <SettingsBar market={market} ground={ground} />
      <SideToggle side={draft.side} onChange={(side) => change({ side })} />
      <KindFields draft={draft} onChange={change} />
      {ground.isSignedIn && <FundingLine available={ground.available} isEmpty={ground.isEmpty} />}
      <PriceFields
        draft={draft}
        onChange={change}
        problems={shownProblems}
        prices={ground.prices}
        priceInput={inputs.price}
      />
      <SizeField
        draft={draft}
        onChange={change}
        problem={shownProblems.size}
        market={market}
        resolved={resolved}
        sizeInput={inputs.size}
      />
      <OptionFields draft={draft} onChange={change} problems={shownProblems} />
      <AttachedFields draft={draft} onChange={change} problems={shownProblems} market={market} resolved={resolved} />
      {shownProblems.form !== undefined && (
        <p role="alert" className="text-xs text-bad">
          {shownProblems.form} <span className="font-mono text-faint">{refused?.code}</span>
        </p>
      )}
      <SubmitPart view={view} />
      <PreviewLines
        preview={preview.data}
        estimate={estimate}
        isStale={preview.isStale}
        isConditional={isConditional(draft.kind)}
        hasBonus={ground.hasBonus}
        discount={ground.discount}
        priceDecimals={market.price_decimals}
      />
    </form>
  );
}
