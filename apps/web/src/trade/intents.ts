import { createStore } from "../lib/store.ts";

/** What the book, the chart or a position asks the ticket to take over. */
export interface TicketIntent {
  readonly side?: "BUY" | "SELL";
  readonly price?: string;
  readonly quantity?: string;
  readonly isReduceOnly?: boolean;
  /** Bring the ticket into view and put the cursor into it. */
  readonly takesFocus?: boolean;
}

/** The latest intent. Each is a new object, so that the same intent can be sent twice. */
export const ticketIntent = createStore<TicketIntent | undefined>(undefined);
