import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { decimalsOf, formatDecimal, formatMoney } from "../../lib/format.ts";
import { isAbove, type TriggerRole, triggerPriceOf } from "./attached.ts";
import { type AttachedDraft, type Draft, isConditional, KINDS, type Problems } from "./draft.ts";
import type { MarketRules, Prices } from "./market-rules.ts";
import type { Resolved } from "./resolve.ts";
import { isOnStep, roundToStep } from "./steps.ts";

interface Ground {
  readonly market: MarketRules;
  readonly prices: Prices;
  readonly resolved: Resolved;
}

const MIN_CALLBACK = Decimal.parse("0.1");
const MAX_CALLBACK = Decimal.parse("10");
const HUNDRED = Decimal.parse("100");

const shownPrice = (price: Decimal, market: MarketRules) =>
  formatDecimal(price.toString(), { decimals: decimalsOf(market.tick_size), rounding: "halfUp" });

/** A price that can be on the book: positive and on the tick. */
function priceProblem(text: string, what: string, market: MarketRules): string | undefined {
  if (text.trim() === "") return `Enter ${what}.`;
  const price = parseTyped(text);
  if (price === undefined || price.isZero()) return `Enter ${what} as a number above 0.`;
  if (isOnStep(price, market.tick_size)) return undefined;
  const [below, above] = (["floor", "ceil"] as const).map((way) => roundToStep(price, market.tick_size, way));
  if (below === undefined || above === undefined) return undefined;
  const tick = `Prices move in steps of ${market.tick_size}`;
  return below.isZero()
    ? `${tick}: the lowest is ${shownPrice(above, market)}.`
    : `${tick}: take ${shownPrice(below, market)} or ${shownPrice(above, market)}.`;
}

/** FUT-2: how far a limit price may be from the mark. */
function bandProblem(draft: Draft, { market, prices }: Ground): string | undefined {
  const price = parseTyped(draft.price);
  if (price === undefined || prices.mark === undefined || isConditional(draft.kind)) return undefined;
  const mark = Decimal.parse(prices.mark);
  const band = Decimal.parse(market.price_band);
  if (draft.side === "BUY") {
    const most = roundToStep(mark.mul(Decimal.ONE.add(band)), market.tick_size, "floor");
    return price.gt(most) ? `Too far above the mark: ${shownPrice(most, market)} at most.` : undefined;
  }
  const least = roundToStep(mark.mul(Decimal.ONE.sub(band)), market.tick_size, "ceil");
  return price.lt(least) ? `Too far below the mark: ${shownPrice(least, market)} at least.` : undefined;
}

function sizeProblem(draft: Draft, { market, resolved, prices }: Ground): string | undefined {
  const { size } = draft;
  if (size.by === "percent" ? size.percent === 0 : size.text.trim() === "") return "Enter a size.";
  if (size.by !== "percent") {
    const typed = parseTyped(size.text);
    if (typed === undefined || typed.isZero()) return "Enter the size as a number above 0.";
  }
  const { quantity, notional, reference, most } = resolved;
  const lot = `${market.lot_size} ${market.base_asset}`;
  if (quantity.isZero()) {
    if (size.by === "percent") return "Nothing is available for this: deposit, or lower what is open.";
    if (size.by === "base") return `Below one lot: enter ${lot} or more.`;
    return reference === undefined
      ? "There is no price yet: enter the size in the base asset."
      : `Below one lot: ${lot} costs ${formatMoney(reference.mul(Decimal.parse(market.lot_size)).toString(), { rounding: "ceil" })} USDT.`;
  }
  if (draft.isReduceOnly) {
    return most?.isZero() ? "There is nothing to reduce on this side: drop reduce-only or change the side." : undefined;
  }
  if (reference === undefined && prices.mark === undefined) return undefined;
  return notionalProblem(notional, market);
}

function notionalProblem(notional: Decimal, market: MarketRules): string | undefined {
  const least = Decimal.parse(market.min_order_size_usd);
  const most = Decimal.parse(market.max_order_size_usd);
  const worth = formatMoney(notional.toString());
  if (notional.lt(least))
    return `Worth ${worth} USDT: an order must be worth ${formatMoney(least.toString())} USDT or more.`;
  if (notional.gt(most))
    return `Worth ${worth} USDT: split it, an order may be worth ${formatMoney(most.toString())} USDT.`;
  return undefined;
}

/** FUT-8: a trigger that is reached already would fire at once. */
function stopProblem(draft: Draft, { market, prices }: Ground): string | undefined {
  const wrong = priceProblem(draft.stopPrice, "the trigger price", market);
  if (wrong !== undefined) return wrong;
  const now = draft.workingType === "MARK_PRICE" ? prices.mark : (prices.last ?? prices.mark);
  if (now === undefined) return undefined;
  const trigger = parseTyped(draft.stopPrice) ?? Decimal.ZERO;
  const rises = (draft.side === "BUY") === (KINDS[draft.kind].trigger === "stop");
  const isReached = rises ? trigger.lte(Decimal.parse(now)) : trigger.gte(Decimal.parse(now));
  if (!isReached) return undefined;
  const price = shownPrice(Decimal.parse(now), market);
  return `Would trigger at once: ${rises ? "raise it above" : "lower it below"} ${price}.`;
}

function trailingProblems(draft: Draft, { market, prices }: Ground): Problems {
  const rate = parseTyped(draft.callbackRate);
  const isRate = rate?.gte(MIN_CALLBACK) && rate.lte(MAX_CALLBACK) && isOnStep(rate, "0.01");
  const callbackRate = isRate ? undefined : "Enter 0.1 to 10 percent, in steps of 0.01.";
  return compact({ callbackRate, activatePrice: activationProblem(draft, market, prices) });
}

function activationProblem(draft: Draft, market: MarketRules, prices: Prices): string | undefined {
  if (draft.activatePrice.trim() === "") return undefined;
  const wrong = priceProblem(draft.activatePrice, "the activation price", market);
  if (wrong !== undefined) return wrong;
  const now = draft.workingType === "MARK_PRICE" ? prices.mark : (prices.last ?? prices.mark);
  const price = parseTyped(draft.activatePrice);
  if (now === undefined || price === undefined) return undefined;
  const isReached = draft.side === "SELL" ? price.lte(Decimal.parse(now)) : price.gte(Decimal.parse(now));
  if (!isReached) return undefined;
  const way = draft.side === "SELL" ? "raise it above" : "lower it below";
  return `Reached already: leave it empty to follow at once, or ${way} ${shownPrice(Decimal.parse(now), market)}.`;
}

/** A take profit must lie where the position gains, a stop loss where it loses. */
function attachedProblem(draft: Draft, role: TriggerRole, given: AttachedDraft, ground: Ground): string | undefined {
  const { market, resolved } = ground;
  if (given.text.trim() === "") return undefined;
  if (given.measure === "price") {
    const wrong = priceProblem(given.text, "the trigger price", market);
    if (wrong !== undefined) return wrong;
  } else if (parseTyped(given.text) === undefined) return "Enter a number above 0.";
  const { reference: entry, quantity } = resolved;
  if (entry === undefined) return undefined;
  const at = { side: draft.side, role, entry, quantity, tick: market.tick_size };
  const trigger = triggerPriceOf(given, at);
  if (trigger === undefined) {
    return given.measure === "pnl" && quantity.isZero()
      ? "Enter the size first: the price follows from it."
      : "No price gives that: enter less.";
  }
  const above = isAbove(draft.side, role);
  const price = Decimal.parse(trigger);
  if (above ? price.gt(entry) : price.lt(entry)) return undefined;
  const name = role === "take_profit" ? "take profit" : "stop loss";
  const side = draft.side === "BUY" ? "buy" : "sell";
  return `The ${name} of a ${side} lies ${above ? "above" : "below"} ${shownPrice(entry, market)}.`;
}

function slippageProblem(draft: Draft): string | undefined {
  if (draft.kind !== "MARKET" || draft.maxSlippage.trim() === "") return undefined;
  const percent = parseTyped(draft.maxSlippage);
  return percent === undefined || percent.gt(HUNDRED) ? "Enter 0 to 100 percent, or nothing." : undefined;
}

const compact = (problems: Readonly<Record<string, string | undefined>>): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined)) as Problems;

/** What is wrong with a draft, by field, in words that say what to do. What only the exchange can know is not here. */
export function problemsOf(draft: Draft, ground: Ground): Problems {
  const { market } = ground;
  const { isPriced, trigger } = KINDS[draft.kind];
  const attaches = draft.hasAttached && !isConditional(draft.kind) && !draft.isReduceOnly;
  return {
    ...compact({
      price: isPriced ? (priceProblem(draft.price, "a price", market) ?? bandProblem(draft, ground)) : undefined,
      stopPrice: trigger === "stop" || trigger === "take_profit" ? stopProblem(draft, ground) : undefined,
      size: sizeProblem(draft, ground),
      maxSlippage: slippageProblem(draft),
      takeProfit: attaches ? attachedProblem(draft, "take_profit", draft.takeProfit, ground) : undefined,
      stopLoss: attaches ? attachedProblem(draft, "stop_loss", draft.stopLoss, ground) : undefined,
      form: market.status === "halted" ? `${market.symbol} is halted: no orders are taken.` : undefined,
    }),
    ...(trigger === "trailing" ? trailingProblems(draft, ground) : {}),
  };
}
