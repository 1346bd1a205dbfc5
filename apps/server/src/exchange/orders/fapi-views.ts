import type { FapiAlgoOrder, FapiOrder } from "@bourse/api";
import { CONTRACT_PRICE, type Market, type MarketState, TRAILING_STOP } from "@bourse/engine";
import { averagePriceText, decimalText, moneyText, priceText, quantityText } from "../../kernel/units.ts";
import { clientIdOf } from "./client-ids.ts";
import {
  placedTypeName,
  presentTypeName,
  priceMatchName,
  selfTradeName,
  sideName,
  timeInForceName,
  workingTypeName,
} from "./names.ts";
import { type ConditionalOrder, isReducing, type Order } from "./order.ts";

const NO_PRICE = "0";

/** An order as bots read it. Queries add its time. */
export function orderView(order: Order, { definition }: MarketState, isQuery = false): FapiOrder {
  const { trigger } = order;
  const executedQty = quantityText(definition, order.executedLots);
  return {
    orderId: order.id,
    symbol: definition.symbol,
    status: order.status,
    clientOrderId: clientIdOf(order.id, order.clientId),
    price: order.ticks === 0 ? NO_PRICE : priceText(definition, order.ticks),
    avgPrice: averagePriceText(definition, order.quote_micros, order.executedLots),
    origQty: quantityText(definition, order.lots),
    executedQty,
    cumQty: executedQty,
    cumQuote: moneyText(order.quote_micros),
    timeInForce: timeInForceName(order),
    type: presentTypeName(order),
    origType: placedTypeName(order),
    reduceOnly: isReducing(order),
    closePosition: trigger?.isClosePosition ?? false,
    side: sideName(order.side),
    positionSide: "BOTH",
    stopPrice: trigger === null ? NO_PRICE : priceText(definition, trigger.triggerTicks),
    workingType: workingTypeName(trigger?.workingType ?? CONTRACT_PRICE),
    priceProtect: trigger?.isPriceProtected ?? false,
    priceMatch: priceMatchName(order),
    selfTradePreventionMode: selfTradeName(order.selfTradePrevention),
    goodTillDate: order.goodTill_ms,
    updateTime: order.updated_ms,
    ...(isQuery ? { time: order.created_ms } : {}),
  };
}

/** A conditional order as bots read it. Queries add what became of it. */
export function algoView(algo: ConditionalOrder, { definition }: MarketState, isQuery = false): FapiAlgoOrder {
  const { trigger } = algo;
  const price = (ticks: number) => (ticks === 0 ? NO_PRICE : priceText(definition, ticks));
  return {
    algoId: algo.id,
    clientAlgoId: clientIdOf(algo.id, algo.clientId),
    algoType: "CONDITIONAL",
    orderType: placedTypeName(algo),
    symbol: definition.symbol,
    side: sideName(algo.side),
    positionSide: "BOTH",
    timeInForce: timeInForceName(algo),
    quantity: quantityText(definition, algo.lots),
    algoStatus: algo.status,
    triggerPrice: price(trigger.triggerTicks),
    price: price(algo.ticks),
    icebergQuantity: null,
    selfTradePreventionMode: selfTradeName(algo.selfTradePrevention),
    workingType: workingTypeName(trigger.workingType),
    priceMatch: priceMatchName(algo),
    closePosition: trigger.isClosePosition,
    priceProtect: trigger.isPriceProtected,
    reduceOnly: algo.isReduceOnly,
    ...(trigger.type === TRAILING_STOP
      ? { activatePrice: price(trigger.activateTicks), callbackRate: decimalText(trigger.callback_bps, 2, 1) }
      : {}),
    createTime: algo.created_ms,
    updateTime: algo.updated_ms,
    triggerTime: trigger.triggered_ms,
    goodTillDate: algo.goodTill_ms,
    ...(isQuery ? { ...producedView(algo, definition) } : {}),
  };
}

/** The order that it led to. */
function producedView({ produced }: ConditionalOrder, definition: Market) {
  if (produced === null) return { actualOrderId: "", actualPrice: NO_PRICE };
  const { id, quote_micros, executedLots } = produced;
  return { actualOrderId: String(id), actualPrice: averagePriceText(definition, quote_micros, executedLots) };
}
