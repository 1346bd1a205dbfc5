import { type ConditionalType, entryPrice, LIMIT, MARKET, type MarketState, type OrderType } from "@bourse/engine";
import { clientIdOf } from "../fapi/client-ids.ts";
import { SIDE_NAMES, TIME_IN_FORCE_NAMES, typeName, WORKING_TYPE_NAMES } from "../fapi/names.ts";
import type { TrackedConditional } from "../market-data/tracked-orders.ts";
import { averagePriceText, decimalText, finePriceText, moneyText, priceText, quantityText } from "../units.ts";
import type {
  BalanceFact,
  BonusFact,
  PositionFact,
  ShownConditionalFact,
  ShownFact,
  ShownOrderFact,
  TierFact,
} from "./private-facts.ts";

type Markets = readonly MarketState[];

const PERCENT_DIGITS = 2;

export const conditionalTypeName = ({ ticks, type }: Pick<TrackedConditional, "ticks" | "type">): string =>
  typeName(ticks === 0 ? MARKET : LIMIT, type as ConditionalType);

/** Facts in the words of the platform's own protocol: snake_case, decimals as strings, times in milliseconds. */
export function ownView(fact: ShownFact, markets: Markets): unknown {
  switch (fact.kind) {
    case "order":
      return orderView(fact, markets);
    case "conditional":
      return conditionalView(fact, markets);
    case "balance":
      return balanceView(fact);
    case "position":
      return positionView(fact, markets);
    case "tier":
      return tierView(fact);
    case "bonus":
      return bonusView(fact);
  }
}

export function orderView(fact: ShownOrderFact, markets: Markets) {
  const { order, ticks, lots, executedLots, quote_micros, fill } = fact;
  const { terms } = markets[order.market]!;
  return {
    order_id: order.id,
    client_order_id: clientIdOf(order.id, order.clientId),
    symbol: terms.symbol,
    side: SIDE_NAMES[order.side],
    type: typeName(order.type as OrderType),
    original_type:
      order.conditional === undefined ? typeName(order.type as OrderType) : conditionalTypeName(order.conditional),
    time_in_force: TIME_IN_FORCE_NAMES[order.timeInForce],
    price: priceText(terms, ticks),
    quantity: quantityText(terms, lots),
    executed_quantity: quantityText(terms, executedLots),
    average_price: averagePriceText(terms, quote_micros, executedLots),
    reduce_only: order.isReduceOnly,
    event: fact.execution,
    status: fact.status,
    reason: fact.reason,
    created_at: order.created_ms,
    time: fact.time_ms,
    trade:
      fill === undefined
        ? null
        : {
            id: fill.trade,
            price: priceText(terms, fill.ticks),
            quantity: quantityText(terms, fill.lots),
            fee: moneyText(fill.fee_micros),
            realized_pnl: moneyText(fill.realised_micros),
            is_maker: fill.isMaker !== 0,
            cause: fill.cause,
          },
  };
}

function conditionalView({ conditional, status, reason, time_ms }: ShownConditionalFact, markets: Markets) {
  const { terms } = markets[conditional.market]!;
  const trailing =
    conditional.callback_bps === 0
      ? {}
      : {
          activate_price: priceText(terms, conditional.activateTicks),
          callback_rate: decimalText(conditional.callback_bps, PERCENT_DIGITS),
        };
  return {
    conditional_id: conditional.conditional,
    client_order_id: clientIdOf(conditional.conditional, conditional.clientId),
    symbol: terms.symbol,
    side: SIDE_NAMES[conditional.side],
    type: conditionalTypeName(conditional),
    time_in_force: TIME_IN_FORCE_NAMES[conditional.timeInForce],
    stop_price: priceText(terms, conditional.triggerTicks),
    price: priceText(terms, conditional.ticks),
    quantity: quantityText(terms, conditional.lots),
    ...trailing,
    working_type: WORKING_TYPE_NAMES[conditional.workingType],
    reduce_only: conditional.isReduceOnly !== 0,
    close_position: conditional.isClosePosition !== 0,
    parent_order_id: conditional.parent === 0 ? null : conditional.parent,
    order_id: conditional.order === 0 ? null : conditional.order,
    status,
    reason,
    created_at: conditional.created_ms,
    time: time_ms,
  };
}

function balanceView(fact: BalanceFact) {
  return {
    asset: "USDT",
    principal: moneyText(fact.principal_micros),
    bonus: moneyText(fact.bonus_micros),
    isolated_margin: moneyText(fact.isolated_micros),
    in_flight: moneyText(fact.inFlight_micros),
    margin_balance: moneyText(fact.balance_micros),
    unrealized_pnl: moneyText(fact.unrealised_micros),
    initial_margin: moneyText(fact.initial_micros),
    maintenance_margin: moneyText(fact.maintenance_micros),
    available: moneyText(fact.available_micros),
    withdrawable: moneyText(fact.withdrawable_micros),
    time: fact.time_ms,
  };
}

function positionView(fact: PositionFact, markets: Markets) {
  const { terms } = markets[fact.market]!;
  const { lots, cost_micros, markTicks } = fact;
  const value_micros = lots * markTicks * terms.unit_micros;
  return {
    symbol: terms.symbol,
    side: lots === 0 ? "FLAT" : lots > 0 ? "LONG" : "SHORT",
    quantity: quantityText(terms, lots),
    entry_price: finePriceText(terms, entryPrice(lots, cost_micros, terms.unit_micros)),
    mark_price: priceText(terms, markTicks),
    notional: moneyText(Math.abs(value_micros)),
    unrealized_pnl: moneyText(value_micros - cost_micros),
    leverage: fact.leverage,
    margin_mode: fact.isIsolated ? "isolated" : "cross",
    isolated_margin: moneyText(fact.isolated_micros),
    time: fact.time_ms,
  };
}

/** Interface 6.2. */
function tierView({ change, tier, previousTier, volume14d_micros, time_ms }: TierFact) {
  return {
    event: "vip_tier_changed",
    kind: change,
    tier,
    previous_tier: previousTier,
    volume_14d: moneyText(volume14d_micros),
    time: time_ms,
  };
}

function bonusView(fact: BonusFact) {
  return {
    kind: fact.line ?? "STATE",
    amount: moneyText(fact.amount_micros),
    status: fact.state,
    bonus: moneyText(fact.bonus_micros),
    bonus_free: moneyText(fact.bonus_micros - fact.locked_micros),
    bonus_locked: moneyText(fact.locked_micros),
    bonus_consumed: moneyText(fact.consumed_micros),
    expires_at: fact.expires_ms,
    ...(fact.line === "WARNING" ? { remaining_ms: fact.expires_ms - fact.time_ms } : {}),
    time: fact.time_ms,
  };
}
