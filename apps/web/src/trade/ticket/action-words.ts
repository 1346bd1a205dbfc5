import type { PlacedOrder } from "@bourse/api/client";
import type { Tone } from "../../kit/panel.tsx";
import { formatDecimal } from "../../lib/format.ts";
import { baseOf } from "../account/fills.ts";
import { asWritten, endReason, typeWords } from "../account/words.ts";
import { type Draft, KINDS } from "./draft.ts";
import type { MarketRules } from "./market-rules.ts";
import type { Outcome } from "./place.ts";
import type { Resolved } from "./resolve.ts";

const shown = (text: string) => formatDecimal(text);

function sizeWords(draft: Draft, { quantity }: Resolved, base: string): string {
  if (draft.kind === "MARKET" && draft.size.by === "quote" && draft.size.text !== "" && !draft.isReduceOnly) {
    return `${base} for ${draft.size.text.trim()} USDT`;
  }
  return quantity.isZero() ? base : `${shown(quantity.toString())} ${base}`;
}

function priceWords(draft: Draft): string {
  const { trigger, isPriced } = KINDS[draft.kind];
  if (trigger === "trailing") return `trailing ${draft.callbackRate} %`;
  if (trigger !== "none") return `once at ${draft.stopPrice}`;
  return isPriced ? `at ${draft.price}` : "at market";
}

/** "Buy 0.25 BTC at 60,012.3": what the button does. Without a size only the side and the asset. */
export function actionLabel(draft: Draft, resolved: Resolved, { base_asset }: MarketRules, isReady: boolean): string {
  const verb = draft.side === "BUY" ? "Buy" : "Sell";
  if (!isReady) return `${verb} ${base_asset}`;
  const grouped = { ...draft, price: grouping(draft.price), stopPrice: grouping(draft.stopPrice) };
  return `${verb} ${sizeWords(draft, resolved, base_asset)} ${priceWords(grouped)}`;
}

const grouping = (text: string): string => (/^\d+(\.\d+)?$/.test(text.trim()) ? formatDecimal(text.trim()) : text);

export interface Message {
  readonly tone: Tone;
  readonly title: string;
  readonly detail?: string;
}

/** The immediate outcome of an order. The feed reports fills, unless it is down. */
export function placedWords(order: PlacedOrder, isFeedLive: boolean): Message | undefined {
  const verb = order.side === "BUY" ? "Buy" : "Sell";
  const base = baseOf(order.symbol);
  const what = `${verb} ${shown(order.quantity)} ${base}`;
  if (order.stop_price !== null) {
    return { tone: "accent", title: `${typeWords(order.type)} waits: ${what} at ${asWritten(order.stop_price)}` };
  }
  const filled = `${shown(order.executed_quantity)} of ${shown(order.quantity)} ${base} filled`;
  if (order.status === "NEW") {
    return {
      tone: "accent",
      title: `${what} rests at ${asWritten(order.price)}`,
      detail: "It is among your open orders.",
    };
  }
  if (order.status === "PARTIALLY_FILLED") {
    return { tone: "accent", title: filled, detail: `The rest stays in the book at ${asWritten(order.price)}.` };
  }
  if (order.status === "FILLED") {
    if (isFeedLive) return undefined;
    const done = order.side === "BUY" ? "Bought" : "Sold";
    return {
      tone: order.side === "BUY" ? "up" : "down",
      title: `${done} ${shown(order.quantity)} ${base} at ${asWritten(order.average_price)}`,
    };
  }
  return { tone: "warn", title: filled, detail: endReason(order.reason) };
}

/** After a lost reply: what the exchange knows of the order. */
export function outcomeWords(outcome: Exclude<Outcome, { kind: "placed" }>): Message {
  switch (outcome.kind) {
    case "waiting":
      return { tone: "accent", title: "Trailing stop placed", detail: "It is among your conditional orders." };
    case "found":
      return {
        tone: "warn",
        title: `The reply was lost, but the order is there (${outcome.status.toLowerCase().replaceAll("_", " ")})`,
        detail: `Order ${outcome.id}, ${shown(outcome.executed)} filled so far. It was not sent again.`,
      };
    case "not_placed":
      return {
        tone: "warn",
        title: "The order was not placed",
        detail: "The connection broke before it arrived. You can send it again.",
      };
    case "unknown":
      return {
        tone: "bad",
        title: "It is not known whether the order was placed",
        detail: "The exchange does not answer. Look at your open orders and positions before you send it again.",
      };
  }
}
