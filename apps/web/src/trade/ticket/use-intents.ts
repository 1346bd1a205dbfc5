import { type RefObject, useEffect, useEffectEvent } from "react";
import { type TicketIntent, ticketIntent } from "../intents.ts";

/** An intent that came while the ticket was not mounted (a phone showed the book) is applied once when it is. */
let heard: TicketIntent | undefined;

export interface TicketInputs {
  readonly price: RefObject<HTMLInputElement | null>;
  readonly size: RefObject<HTMLInputElement | null>;
}

function focusFirst({ price, size }: TicketInputs): void {
  const isPriceMissing = price.current !== null && price.current.value === "";
  const input = isPriceMissing ? price.current : size.current;
  input?.focus();
  input?.select();
}

/** Takes over what the book, the keys and positions ask for. */
export function useIntents(onIntent: (intent: TicketIntent) => void, inputs: TicketInputs): void {
  const hear = useEffectEvent(() => {
    const intent = ticketIntent.get();
    if (intent === undefined || intent === heard) return;
    heard = intent;
    onIntent(intent);
    // The fields of another type are there only after the next paint.
    if (intent.takesFocus) requestAnimationFrame(() => focusFirst(inputs));
  });
  useEffect(() => {
    hear();
    return ticketIntent.subscribe(() => hear());
  }, []);
}
