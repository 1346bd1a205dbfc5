import type { AccountOrderRequest, FapiNewAlgoOrder } from "@bourse/api/client";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { type TriggerRole, triggerPriceOf } from "./attached.ts";
import { type AttachedDraft, type Draft, isConditional, KINDS } from "./draft.ts";
import type { MarketRules } from "./market-rules.ts";
import type { Resolved } from "./resolve.ts";

/** What goes to the exchange: trailing stops exist only on the bots' path, everything else on the account's. */
export type OrderToSend =
  | { readonly path: "account"; readonly request: AccountOrderRequest }
  | { readonly path: "algo"; readonly request: FapiNewAlgoOrder };

const HUNDRED = Decimal.parse("100");
const SLIPPAGE_DIGITS = 8;

/** As typed, without group marks and needless zeros. */
const plain = (text: string) => (parseTyped(text) ?? Decimal.ZERO).toString();

function attachedOf(draft: Draft, role: TriggerRole, given: AttachedDraft, market: MarketRules, resolved: Resolved) {
  const { reference: entry, quantity } = resolved;
  if (!draft.hasAttached || draft.isReduceOnly || entry === undefined) return {};
  const at = { side: draft.side, role, entry, quantity, tick: market.tick_size };
  const trigger_price = triggerPriceOf(given, at);
  return trigger_price === undefined ? {} : { [role]: { trigger_price, working_type: given.workingType } };
}

/**
 * The size of a market order in USDT is sent in USDT: the exchange converts it by its book at that moment (FUT-5). A
 * limit order's size is converted here, because the exchange would use the best price instead of the limit.
 */
function sizeOf(draft: Draft, { quantity }: Resolved) {
  if (draft.kind === "MARKET" && draft.size.by === "quote" && !draft.isReduceOnly) {
    return { quote_quantity: plain(draft.size.text) };
  }
  return { quantity: quantity.toString() };
}

function slippageOf(draft: Draft) {
  const percent = parseTyped(draft.maxSlippage);
  return percent === undefined ? {} : { max_slippage: percent.div(HUNDRED, SLIPPAGE_DIGITS, "floor").toString() };
}

/** WIRE-7. The draft has no problems; the client id makes it possible to ask what became of the order. */
export function buildOrder(
  draft: Draft,
  market: MarketRules,
  resolved: Resolved,
  client_order_id: string,
): OrderToSend {
  if (draft.kind === "TRAILING_STOP_MARKET")
    return { path: "algo", request: trailing(draft, market, resolved, client_order_id) };
  const { symbol } = market;
  const { isPriced } = KINDS[draft.kind];
  const common = {
    symbol,
    side: draft.side,
    type: draft.kind,
    client_order_id,
    ...sizeOf(draft, resolved),
    ...(isPriced ? { price: plain(draft.price), time_in_force: draft.timeInForce } : {}),
    ...(draft.isReduceOnly ? { reduce_only: true } : {}),
  };
  if (isConditional(draft.kind)) {
    const request = { ...common, stop_price: plain(draft.stopPrice), working_type: draft.workingType };
    return { path: "account", request };
  }
  const request = {
    ...common,
    ...(draft.kind === "MARKET" ? slippageOf(draft) : {}),
    ...attachedOf(draft, "take_profit", draft.takeProfit, market, resolved),
    ...attachedOf(draft, "stop_loss", draft.stopLoss, market, resolved),
  };
  return { path: "account", request };
}

function trailing(
  draft: Draft,
  { symbol }: MarketRules,
  { quantity }: Resolved,
  clientAlgoId: string,
): FapiNewAlgoOrder {
  return {
    symbol,
    side: draft.side,
    type: "TRAILING_STOP_MARKET",
    quantity: quantity.toString(),
    callbackRate: plain(draft.callbackRate),
    workingType: draft.workingType,
    clientAlgoId,
    ...(draft.activatePrice.trim() === "" ? {} : { activatePrice: plain(draft.activatePrice) }),
    ...(draft.isReduceOnly ? { reduceOnly: true } : {}),
  };
}
