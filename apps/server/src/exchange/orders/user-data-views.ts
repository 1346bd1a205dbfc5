import { MARKET, type Market, type MarketState, type Reason } from "@bourse/engine";
import { averagePriceText, decimalText, moneyText, priceText, quantityText } from "../../kernel/units.ts";
import { clientIdOf } from "./client-ids.ts";
import {
  placedTypeName,
  presentTypeName,
  priceMatchName,
  selfTradeName,
  sideName,
  timeInForceName,
  typeName,
  workingTypeName,
} from "./names.ts";
import { asOrder, type Cause, isReducing, type Order } from "./order.ts";
import type { ConditionalFact, OrderFact } from "./order-facts.ts";

/** Orders in the events of the bots' user data stream. */

type Markets = readonly MarketState[];

const ASSET = "USDT";
const CALLBACK_DIGITS = 2;

/** Why an order expired, as clients number it. */
const EXPIRY_REASONS: Partial<Record<Reason, string>> = { self_trade: "1", reduce_only_excess: "4", liquidation: "5" };

function expiryReason({ execution, order }: OrderFact): { er?: string } {
  if (execution !== "EXPIRED") return {};
  if (order.reason === "time_in_force") return { er: order.type === MARKET ? "9" : "2" };
  return { er: EXPIRY_REASONS[order.reason] ?? "0" };
}

/** What an order has from its trigger. */
function triggerFields(order: Order, type: string, definition: Market) {
  const { trigger } = order;
  if (trigger === null) return { sp: "0", wt: "CONTRACT_PRICE", ot: type, cp: false, pP: false };
  const trailing =
    trigger.callback_bps === 0
      ? {}
      : { AP: priceText(definition, trigger.activateTicks), cr: decimalText(trigger.callback_bps, CALLBACK_DIGITS) };
  return {
    sp: priceText(definition, trigger.triggerTicks),
    wt: workingTypeName(trigger.workingType),
    ot: placedTypeName(order),
    cp: trigger.isClosePosition,
    pP: trigger.isPriceProtected,
    ...trailing,
  };
}

const FORCED_NAMES: Partial<Record<Cause, string>> = {
  liquidation: "autoclose-",
  takeover: "autoclose-",
  adl: "adl_autoclose",
};

/** Orders that the exchange makes for an account have names by which clients know them. */
function clientName({ id, clientId, cause }: Order): string {
  const forced = FORCED_NAMES[cause];
  if (forced === undefined) return clientIdOf(id, clientId);
  return forced.endsWith("-") ? `${forced}${id}` : forced;
}

export interface OpenNotionals {
  readonly bids_micros: number;
  readonly asks_micros: number;
}

export function orderTradeUpdate(fact: OrderFact, markets: Markets, open: OpenNotionals): object {
  const { order, fill, time_ms } = fact;
  const { definition } = markets[order.market]!;
  const type = order.cause in FORCED_NAMES ? "LIQUIDATION" : presentTypeName(order);
  const fee = fill === undefined ? {} : { N: ASSET, n: moneyText(fill.fee_micros) };
  return {
    e: "ORDER_TRADE_UPDATE",
    E: time_ms,
    T: time_ms,
    o: {
      s: definition.symbol,
      c: clientName(order),
      S: sideName(order.side),
      o: type,
      f: timeInForceName(order),
      q: quantityText(definition, order.lots),
      p: priceText(definition, order.ticks),
      ap: averagePriceText(definition, order.quote_micros, order.executedLots),
      x: fact.execution,
      X: order.status,
      i: order.id,
      l: quantityText(definition, fill?.lots ?? 0),
      z: quantityText(definition, order.executedLots),
      L: fill === undefined ? "0" : priceText(definition, fill.ticks),
      ...fee,
      T: time_ms,
      t: fill?.trade ?? 0,
      b: moneyText(open.bids_micros),
      a: moneyText(open.asks_micros),
      m: fill !== undefined && fill.isMaker !== 0,
      R: isReducing(order),
      ps: "BOTH",
      rp: moneyText(fill?.realised_micros ?? 0),
      si: 0,
      ss: 0,
      V: selfTradeName(order.selfTradePrevention),
      pm: priceMatchName(order),
      gtd: order.goodTill_ms,
      ...triggerFields(order, type, definition),
      ...expiryReason(fact),
    },
  };
}

export function tradeLite({ order, fill, time_ms }: OrderFact, markets: Markets): object {
  const { definition } = markets[order.market]!;
  return {
    e: "TRADE_LITE",
    E: time_ms,
    T: time_ms,
    s: definition.symbol,
    q: quantityText(definition, order.lots),
    p: priceText(definition, order.ticks),
    m: fill!.isMaker !== 0,
    c: clientIdOf(order.id, order.clientId),
    S: sideName(order.side),
    L: priceText(definition, fill!.ticks),
    l: quantityText(definition, fill!.lots),
    t: fill!.trade,
    i: order.id,
  };
}

/** A conditional order that came as an ordinary one and keeps its id: to its client it is an order. */
export function triggerOrderUpdate({ order, time_ms }: ConditionalFact, markets: Markets, open: OpenNotionals): object {
  const execution = order.status === "NEW" || order.status === "CANCELED" ? order.status : "EXPIRED";
  const fact: OrderFact = {
    channel: "orders",
    kind: "order",
    order: asOrder(order),
    execution,
    fill: undefined,
    time_ms,
  };
  return orderTradeUpdate(fact, markets, open);
}

export function algoUpdate({ order, time_ms }: ConditionalFact, markets: Markets): object {
  const { definition } = markets[order.market]!;
  const { trigger, produced, status, reason } = order;
  const actual =
    produced === null
      ? { ap: "0", aq: "0", act: "" }
      : {
          ap: averagePriceText(definition, produced.quote_micros, produced.executedLots),
          aq: quantityText(definition, produced.executedLots),
          act: typeName(produced.type),
        };
  return {
    e: "ALGO_UPDATE",
    T: time_ms,
    E: time_ms,
    o: {
      caid: clientIdOf(order.id, order.clientId),
      aid: order.id,
      at: "CONDITIONAL",
      o: placedTypeName(order),
      s: definition.symbol,
      S: sideName(order.side),
      ps: "BOTH",
      f: timeInForceName(order),
      q: quantityText(definition, order.lots),
      X: status,
      ai: order.producedId === 0 || status === "TRIGGERING" ? "" : String(order.producedId),
      ...actual,
      tp: priceText(definition, trigger.triggerTicks),
      p: priceText(definition, order.ticks),
      V: selfTradeName(order.selfTradePrevention),
      wt: workingTypeName(trigger.workingType),
      pm: priceMatchName(order),
      cp: trigger.isClosePosition,
      pP: trigger.isPriceProtected,
      R: order.isReduceOnly,
      tt: trigger.triggered_ms,
      gtd: order.goodTill_ms,
      rm: reason === "none" ? "" : reason,
    },
  };
}
