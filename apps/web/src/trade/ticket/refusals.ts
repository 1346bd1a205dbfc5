import { RequestRefused } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { formatMoney, percentOf } from "../../lib/format.ts";
import { type Words, wordsOf } from "../../lib/words.ts";
import { asWritten } from "../account/words.ts";
import { type Draft, type DraftField, isConditional } from "./draft.ts";
import type { Prices } from "./market-rules.ts";

/** A refusal of an order: what it concerns, what happened, what to do. */
export interface Refused extends Words {
  readonly field: DraftField;
}

interface Told {
  readonly draft: Draft;
  readonly prices: Prices;
  readonly limit: string | undefined;
  readonly actual: string | undefined;
}

type Row = readonly [DraftField | ((told: Told) => DraftField), (told: Told) => string, ((told: Told) => string)?];

const price = (text: string | undefined) => (text === undefined ? "the current price" : asWritten(text));
const money = (text: string | undefined) => (text === undefined ? "what is allowed" : `${formatMoney(text)} USDT`);
const opposite = ({ draft, prices }: Told) => price(draft.side === "BUY" ? prices.ask : prices.bid);
const away = ({ draft }: Told) => (draft.side === "BUY" ? "Lower" : "Raise");

/** Attached triggers are refused without a name: the one on the wrong side of the reference is meant. */
function triggerField({ draft, limit, actual }: Told): DraftField {
  if (draft.kind === "TRAILING_STOP_MARKET") return "activatePrice";
  if (isConditional(draft.kind)) return "stopPrice";
  if (limit === undefined || actual === undefined) return "form";
  const isAbove = Decimal.parse(actual).gt(Decimal.parse(limit));
  return isAbove === (draft.side === "BUY") ? "stopLoss" : "takeProfit";
}

/** By the rule that refused, which has the same name on both paths: the field, what happened, what to do. */
const ROWS: Readonly<Record<string, Row>> = {
  post_only_would_take: [
    "price",
    (told) => `post-only order would have matched at ${opposite(told)}`,
    (told) => `${away(told)} the price or drop post-only.`,
  ],
  price_above_band: [
    "price",
    () => "the price is too far above the mark",
    ({ limit }) => `Lower it to ${price(limit)} or less.`,
  ],
  price_below_band: [
    "price",
    () => "the price is too far below the mark",
    ({ limit }) => `Raise it to ${price(limit)} or more.`,
  ],
  bonus_fair_price: [
    "price",
    ({ draft }) =>
      `with a bonus you open close to the mark only, and this price is too far ${draft.side === "BUY" ? "above" : "below"} it`,
    ({ draft, limit }) =>
      draft.side === "BUY" ? `Lower it to ${price(limit)} or less.` : `Raise it to ${price(limit)} or more.`,
  ],
  precision: ["price", () => "the price has too many decimals", ({ limit }) => `Use ${limit ?? "fewer"} decimals.`],
  tick_size: ["price", () => "the price is not a multiple of the tick size", () => "Round it to the tick."],
  lot_size: ["size", () => "the size is below one lot", () => "Raise the size."],
  min_notional: [
    "size",
    ({ actual }) => `the order is worth only ${money(actual)}`,
    ({ limit }) => `Raise the size: an order must be worth ${money(limit)} or more.`,
  ],
  max_notional: [
    "size",
    ({ actual }) => `the order is worth ${money(actual)}`,
    ({ limit }) => `Split it: an order may be worth ${money(limit)} at most.`,
  ],
  margin_insufficient: [
    "size",
    ({ limit, actual }) => `it needs ${money(actual)} of margin, and ${money(limit)} is free`,
    () => "Lower the size, raise the leverage, or deposit.",
  ],
  in_liquidation: ["form", () => "the account is being liquidated", () => "Deposit, or close positions."],
  position_limit: [
    "size",
    ({ actual }) => `the position would be worth ${money(actual)}`,
    ({ limit }) => `At this leverage ${money(limit)} is the most: lower the size or the leverage.`,
  ],
  market_full: ["size", () => "the market cannot take so much more", () => "Lower the size."],
  reduce_only_rejected: [
    "reduceOnly",
    () => "there is nothing left that the order could reduce",
    () => "Drop reduce-only, change the side, or cancel other reduce-only orders.",
  ],
  market_reduce_only: [
    "form",
    () => "the market takes only orders that reduce a position",
    () => "Close, or wait until it trades again.",
  ],
  market_halted: ["form", () => "the market is halted", () => "Wait until it trades again."],
  no_price: ["form", () => "the market has no price yet", () => "Try again in a moment."],
  bonus_only_reducing: [
    "form",
    () => "your bonus is frozen or expired",
    () => "Only orders that reduce positions are taken.",
  ],
  bonus_ratio: [
    "size",
    () => "with so much bonus an order against the position may not be larger than the position",
    ({ limit }) => `Lower it to ${limit ?? "the position's size"}, or use reduce-only.`,
  ],
  would_trigger: [
    triggerField,
    ({ limit }) => `it would trigger at once, the price being ${price(limit)}`,
    () => "Move the trigger to the other side of it.",
  ],
  slippage_exceeded: [
    "maxSlippage",
    ({ actual }) =>
      `the book would cost ${actual === undefined ? "more slippage" : `${percentOf(actual, 3)} % slippage`}`,
    () => "Lower the size or allow more slippage.",
  ],
  fok_not_filled: [
    "timeInForce",
    () => "the book cannot fill the whole order at once",
    () => "Lower the size, or use IOC or GTC.",
  ],
  too_many_orders: [
    "form",
    ({ limit }) => `you have ${limit ?? "too many"} open orders in this market`,
    () => "Cancel some first.",
  ],
  too_many_conditionals: [
    "form",
    ({ limit }) => `you have ${limit ?? "too many"} conditional orders in this market`,
    () => "Cancel some first.",
  ],
};

const textOf = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : undefined);

/** A refusal of an order, beside the field it concerns. `verb`: whether it happened, or would. */
export function refusedOrder(error: unknown, draft: Draft, prices: Prices, verb = "Rejected"): Refused {
  const words = wordsOf(error);
  const details = error instanceof RequestRefused ? error.details : undefined;
  const rule = textOf(details?.["rule"]);
  const row = rule !== undefined && Object.hasOwn(ROWS, rule) ? ROWS[rule] : undefined;
  if (row === undefined) return { ...words, field: "form" };
  const told: Told = { draft, prices, limit: textOf(details?.["limit"]), actual: textOf(details?.["actual"]) };
  const [field, happened, advice] = row;
  return {
    ...words,
    field: typeof field === "function" ? field(told) : field,
    title: `${verb}: ${happened(told)}.`,
    ...(advice === undefined ? {} : { advice: advice(told) }),
  };
}
