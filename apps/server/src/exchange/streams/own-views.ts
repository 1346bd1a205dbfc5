import type { AdlData } from "@bourse/api";
import { entryPrice, type MarketState } from "@bourse/engine";
import { finePriceText, moneyText, priceText, quantityText } from "../../kernel/units.ts";
import { sideName } from "../orders/names.ts";
import { conditionalEvent, orderEvent } from "../orders/own-views.ts";
import type { AdlFact, BalanceFact, BonusFact, PositionFact, ShownFact, TierFact } from "./private-facts.ts";

type Markets = readonly MarketState[];

/** Private events as the platform's own protocol shows them: snake_case, decimals as strings, times in milliseconds. */
export function ownView(fact: ShownFact, markets: Markets): unknown {
  switch (fact.kind) {
    case "order":
      return orderEvent(fact, markets);
    case "conditional":
      return conditionalEvent(fact, markets);
    case "balance":
      return balanceView(fact);
    case "position":
      return positionView(fact, markets);
    case "tier":
      return tierView(fact);
    case "bonus":
      return bonusView(fact);
    case "adl":
      return adlView(fact, markets);
  }
}

function adlView(fact: AdlFact, markets: Markets): AdlData {
  const { definition } = markets[fact.market]!;
  return {
    symbol: definition.symbol,
    side: sideName(fact.side),
    quantity: quantityText(definition, fact.lots),
    price: priceText(definition, fact.ticks),
    mark_price: priceText(definition, fact.markTicks),
    index_price: priceText(definition, fact.indexTicks),
    reason: fact.reason,
    time: fact.time_ms,
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
  const { definition } = markets[fact.market]!;
  const { lots, cost_micros, markTicks } = fact;
  const value_micros = lots * markTicks * definition.unit_micros;
  return {
    symbol: definition.symbol,
    side: lots === 0 ? "FLAT" : lots > 0 ? "LONG" : "SHORT",
    quantity: quantityText(definition, lots),
    entry_price: finePriceText(definition, entryPrice(lots, cost_micros, definition.unit_micros)),
    mark_price: priceText(definition, markTicks),
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
