import type { AccountIncome, AccountTrade, EquityPoint } from "@bourse/api";
import type { Engine, Market } from "@bourse/engine";
import { moneyText, priceText, quantityText } from "../../kernel/units.ts";
import type { EquityPoint as EquityRecord } from "../history/money-history.ts";
import type { FillRecord, IncomeRecord } from "../history/records.ts";
import { sideName } from "../orders/names.ts";

const definitionOf = ({ state }: Engine, market: number): Market => state.markets[market]!.definition;

export function tradeOfRecord(engine: Engine, record: FillRecord): AccountTrade {
  const definition = definitionOf(engine, record.market);
  return {
    id: record.trade,
    order_id: record.order,
    symbol: definition.symbol,
    side: sideName(record.side),
    price: priceText(definition, record.ticks),
    quantity: quantityText(definition, record.lots),
    value: moneyText(record.quote_micros),
    fee: moneyText(record.fee_micros),
    fee_from_bonus: moneyText(record.feeFromBonus_micros),
    realized_pnl: moneyText(record.realised_micros),
    is_maker: record.isMaker,
    cause: record.cause,
    mark_price: record.markTicks === null ? null : priceText(definition, record.markTicks),
    is_off_market: record.isOffMarket,
    time: record.time_ms,
  };
}

export function incomeOfRecord(engine: Engine, record: IncomeRecord): AccountIncome {
  return {
    id: String(record.id),
    type: record.type,
    amount: moneyText(record.amount_micros),
    symbol: record.market < 0 ? null : definitionOf(engine, record.market).symbol,
    trade_id: record.trade === 0 ? null : record.trade,
    time: record.time_ms,
  };
}

export function equityOfRecord(record: EquityRecord): EquityPoint {
  return {
    time: record.time_ms,
    equity: moneyText(record.equity_micros),
    principal: moneyText(record.principal_micros),
    bonus: moneyText(record.bonus_micros),
    unrealized_pnl: moneyText(record.unrealised_micros),
  };
}
