import { type Engine, previewOrder, type Refusal } from "@bourse/engine";
import type { NewConditional, NewOrder } from "./read-order.ts";

/**
 * SEC-11: why an order of a wallet without an account is refused. An order meets the checks in the sequence that an empty account
 * meets (FUT-16); a conditional one, of which an empty account could place as many as it likes, is refused for want of margin.
 */
export function refusalWithoutAccount(engine: Engine, command: NewOrder | NewConditional): Refusal {
  if (command.kind === "place_order") {
    const preview = previewOrder(engine, undefined, command);
    if (preview.kind === "refused") return preview.refusal;
  }
  const reason = command.isReduceOnly ? "reduce_only_rejected" : "margin_insufficient";
  return { reason, limit: 0, actual: 0 };
}
