import type { FapiIncome, FapiUserTrade } from "@bourse/api";
import { BUY, NO_MARKET } from "@bourse/engine";
import { moneyText, priceText, quantityText } from "../../kernel/units.ts";
import type { FillRecord, IncomeRecord } from "../history/records.ts";
import { sideName } from "../orders/names.ts";
import type { MarketState, Markets } from "./markets.ts";

/** A line of income as bots read it. */
export const incomeView = (line: IncomeRecord, markets: Pick<Markets, "at">): FapiIncome => ({
  symbol: line.market === NO_MARKET ? "" : markets.at(line.market).definition.symbol,
  incomeType: line.type,
  income: moneyText(line.amount_micros),
  asset: "USDT",
  info: line.info,
  time: line.time_ms,
  tranId: line.id,
  tradeId: line.trade === 0 ? "" : String(line.trade),
});

/** One side of a trade as its owner's bots read it. */
export const userTradeView = (fill: FillRecord, { definition }: MarketState): FapiUserTrade => ({
  id: fill.trade,
  orderId: fill.order,
  symbol: definition.symbol,
  side: sideName(fill.side),
  positionSide: "BOTH",
  price: priceText(definition, fill.ticks),
  qty: quantityText(definition, fill.lots),
  quoteQty: moneyText(fill.ticks * fill.lots * definition.unit_micros),
  commission: moneyText(fill.fee_micros),
  commissionAsset: "USDT",
  realizedPnl: moneyText(fill.realised_micros),
  time: fill.time_ms,
  buyer: fill.side === BUY,
  maker: fill.isMaker,
});
