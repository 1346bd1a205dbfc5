import type { MarketInfo } from "@bourse/api";
import { HALTED, type MarketState, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";
import type { Exchange } from "../host/exchange.ts";
import { invalidSymbol } from "./refusals.ts";

export const STATUS_CODES = { trading: TRADING, reduce_only: REDUCE_ONLY, halted: HALTED } as const;
export type StatusName = keyof typeof STATUS_CODES;

const STATUS_NAMES: readonly StatusName[] = ["trading", "reduce_only", "halted"];

/** Finds a market by its symbol in upper or lower case; throws the refusal of an unknown symbol. */
export function findMarket({ engine }: Pick<Exchange, "engine">, symbol: string): MarketState {
  const name = symbol.toUpperCase();
  const market = engine.state.markets.find(({ terms }) => terms.symbol === name);
  if (market === undefined) throw invalidSymbol(symbol.slice(0, 40));
  return market;
}

export function marketInfo({ terms, status, markTicks, indexTicks, lastTicks }: MarketState): MarketInfo {
  const priceOrNull = (ticks: number) => (ticks === 0 ? null : priceText(terms, ticks));
  return {
    symbol: terms.symbol,
    base_asset: terms.symbol.replace(/USDT$/, ""),
    quote_asset: "USDT",
    status: STATUS_NAMES[status]!,
    tick_size: priceText(terms, 1),
    lot_size: quantityText(terms, 1),
    min_order_size_usd: moneyText(terms.minNotional_micros),
    max_order_size_usd: moneyText(terms.maxNotional_micros),
    max_leverage: terms.brackets[0]!.maxLeverage,
    default_leverage: terms.defaultLeverage,
    price_band: rateText(terms.percentPrice_e8),
    market_order_bound: rateText(terms.marketBound_e8),
    liquidation_fee: rateText(terms.liquidationFee_e8),
    max_open_orders: terms.maxOpenOrders,
    max_conditional_orders: terms.maxConditionalOrders,
    mark_price: priceOrNull(markTicks),
    index_price: priceOrNull(indexTicks),
    last_price: priceOrNull(lastTicks),
    brackets: terms.brackets.map((row) => ({
      notional_cap: moneyText(row.cap_micros),
      max_leverage: row.maxLeverage,
      maintenance_rate: rateText(row.maintenanceRate_e8),
      cumulative: moneyText(row.cumulative_micros),
    })),
  };
}
